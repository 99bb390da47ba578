/// The identity of one addition of a task: unique in the process, increasing in order of addition.
public struct ManagedTaskID: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// The number of the manager.
    public let manager: Int
    /// The number of the task in its manager, from 0.
    public let number: Int

    /// `handle.0.3`: manager, number.
    public var description: String { "handle.\(manager).\(number)" }

    /// Compares by manager, then by order of addition.
    public static func < (left: ManagedTaskID, right: ManagedTaskID) -> Bool {
        (left.manager, left.number) < (right.manager, right.number)
    }
}
