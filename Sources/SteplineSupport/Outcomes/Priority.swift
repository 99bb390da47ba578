/// Which of the work that could begin goes first; work of one priority goes in order of arrival.
public enum Priority: UInt8, Sendable, Hashable, Comparable, CaseIterable, Codable {
    /// After everything else.
    case background
    /// After the usual.
    case low
    /// The usual.
    case normal
    /// Before the usual.
    case high
    /// Before everything else.
    case critical

    /// Whether the left one goes later.
    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
}
