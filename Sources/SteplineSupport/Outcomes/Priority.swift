/// The priority of ready work; work of one priority begins in order of arrival.
public enum Priority: UInt8, Sendable, Hashable, Comparable, CaseIterable, Codable {
    /// After all other work.
    case background
    /// After normal work.
    case low
    /// The default.
    case normal
    /// Before normal work.
    case high
    /// Before all other work.
    case critical

    /// Returns whether the left priority is lower.
    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
}
