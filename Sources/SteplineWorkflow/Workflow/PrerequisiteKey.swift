/// The name under which a task finds one of its prerequisites: a string literal or any hashable value.
public struct PrerequisiteKey: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let value: any Hashable & Sendable

    /// Makes a key of a value.
    public init(_ value: some Hashable & Sendable) { self.value = value }

    /// Makes a key of a string.
    public init(stringLiteral value: String) { self.value = value }

    /// The value as text.
    public var description: String { "\(value)" }

    /// The key, if it is a string.
    public var string: String? { value as? String }

    /// Whether the values are equal.
    public static func == (left: PrerequisiteKey, right: PrerequisiteKey) -> Bool {
        AnyHashable(left.value) == AnyHashable(right.value)
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}
