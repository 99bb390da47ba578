/// Which adding of a task is meant: unique in the process, growing in order of adding.
public struct ManagedTaskID: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// The manager's number.
    public let manager: Int
    /// The task's number in its manager, from 0.
    public let number: Int

    /// `handle.0.3`: manager, number.
    public var description: String { "handle.\(manager).\(number)" }

    /// By manager, then by order of adding.
    public static func < (left: ManagedTaskID, right: ManagedTaskID) -> Bool {
        (left.manager, left.number) < (right.manager, right.number)
    }
}
