extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Makes `null`, written `nil`.
    public init(nilLiteral: ()) { self = .null }

    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// Makes a whole number.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Makes a number.
    public init(floatLiteral value: Double) { self.init(value) }

    /// Makes a string.
    public init(stringLiteral value: String) { self.init(value) }

    /// Makes an array, or `null` if the array would exceed 1 GiB.
    public init(arrayLiteral elements: JSON...) {
        self = (try? JSON(elements: elements)) ?? .null
    }

    /// Makes an object with its members in order, or `null` if the object would exceed 1 GiB.
    ///
    /// Of equal keys the last wins.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = (try? JSON(members: members.lazy.map { (key: $0.0, value: $0.1) })) ?? .null
    }
}
