public import Foundation

extension JSON {
    /// The number as an `Int` if its value is whole and fits (`1.0` and `1e3` too); nil otherwise.
    public var int: Int? { integer() }

    /// The nearest `Double`; nil if the number is out of range or the value isn't a number.
    public var double: Double? { word.isNumber ? NumberText(storage.bytes(word)).double : nil }

    /// The number as a `Decimal`, with up to 38 digits; nil if out of range or not a number.
    public var decimal: Decimal? { literal.flatMap { NumberText.decimal($0) } }

    /// The literal of a number as written in the document; nil for any other kind.
    public var literal: String? { word.isNumber ? String(decoding: storage.bytes(word), as: UTF8.self) : nil }

    /// Returns the number as an integer of any width if it is whole and fits, otherwise nil.
    public func integer<T: FixedWidthInteger>(as type: T.Type = T.self) -> T? {
        guard word.isNumber else { return nil }
        return NumberText(storage.bytes(word)).integer()
    }
}
