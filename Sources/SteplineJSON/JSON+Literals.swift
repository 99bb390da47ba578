extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`, written `nil`.
    public init(nilLiteral: ()) { self = .null }

    /// A truth.
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// A number.
    public init(floatLiteral value: Double) { self.init(value) }

    /// A string.
    public init(stringLiteral value: String) { self.init(value) }

    /// An array; `null` if it would be larger than 1 GiB.
    public init(arrayLiteral elements: JSON...) {
        self = (try? JSON(elements: elements)) ?? .null
    }

    /// An object, its members in order, of equal keys the last; `null` if it would be larger than 1 GiB.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = (try? JSON(members: members.lazy.map { (key: $0.0, value: $0.1) })) ?? .null
    }
}
