/// The name under which a task finds a prerequisite: a string literal or any hashable value.
public struct PrerequisiteKey: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let value: any Hashable & Sendable

    /// Creates a key from a value.
    public init(_ value: some Hashable & Sendable) { self.value = value }

    /// Creates a key from a string.
    public init(stringLiteral value: String) { self.value = value }

    /// The value as text.
    public var description: String { "\(value)" }

    /// The value if it is a string.
    public var string: String? { value as? String }

    /// Returns whether the values are equal.
    public static func == (left: PrerequisiteKey, right: PrerequisiteKey) -> Bool {
        // The stored values may have different types, which `AnyHashable` compares.
        AnyHashable(left.value) == AnyHashable(right.value)
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}
