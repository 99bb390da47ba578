public import Foundation

extension JSON {
    /// The number as an `Int`, if it is a whole number that fits: also `1.0` and `1e3`; nil for anything
    /// else.
    public var int: Int? { integer() }

    /// The number as the nearest `Double`; nil for anything else, and for numbers too large for one.
    public var double: Double? { word.isNumber ? NumberText(storage.bytes(word)).double : nil }

    /// The number as a `Decimal` with every digit, up to the 38 that one holds; nil for anything else, and
    /// beyond its range.
    public var decimal: Decimal? { literal.flatMap { NumberText.decimal($0) } }

    /// The text of a number as it stands in the document, with every digit; nil for anything else.
    public var literal: String? { word.isNumber ? String(decoding: storage.bytes(word), as: UTF8.self) : nil }

    /// The number as an integer of any width, if it is whole and fits.
    public func integer<T: FixedWidthInteger>(as type: T.Type = T.self) -> T? {
        guard word.isNumber else { return nil }
        return NumberText(storage.bytes(word)).integer()
    }
}
