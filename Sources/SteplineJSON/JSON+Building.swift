public import Foundation

extension JSON {
    /// `null`.
    public static let null = JSON { $0.append(.null, []) }

    /// Makes a string.
    public init(_ text: String) { self.init { $0.append(text: text) } }

    /// Makes `true` or `false`.
    public init(_ truth: Bool) { self.init { $0.append(truth ? .yes : .no, []) } }

    /// Makes a whole number of any width.
    public init(_ number: some BinaryInteger) { self.init { $0.append(number: String(number)) } }

    /// Makes a number in the shortest form that parses to the same value.
    ///
    /// Infinities and NaN become `null`, since JSON can't represent them.
    public init(_ number: Double) {
        self.init { number.isFinite ? $0.append(number: number.description) : $0.append(.null, []) }
    }

    /// Makes a number with all its digits; NaN becomes `null`.
    public init(_ number: Decimal) {
        self.init { number.isNaN ? $0.append(.null, []) : $0.append(number: number.description) }
    }

    /// Makes an array of copies of these values.
    ///
    /// - Throws: `JSONError` with the code `.tooLarge` if the array exceeds 1 GiB.
    public init(elements: some Sequence<JSON>) throws(JSONError) {
        var builder = TapeBuilder()
        let header = builder.open()
        var count = 0
        for element in elements {
            builder.append(element)
            count += 1
        }
        builder.close(header, .array, count: count)
        self = try JSON.finished(builder)
    }

    /// Makes an object of copies of these members, in order; of equal keys the last wins.
    ///
    /// - Throws: `JSONError` with the code `.tooLarge` if the object exceeds 1 GiB.
    public init(members: some Sequence<(key: String, value: JSON)>) throws(JSONError) {
        var builder = TapeBuilder()
        let header = builder.open()
        var count = 0
        for member in members {
            builder.append(text: member.key)
            builder.append(member.value)
            count += 1
        }
        builder.close(header, .object, count: count)
        self = try JSON.finished(builder)
    }

    private static func finished(_ builder: consuming TapeBuilder) throws(JSONError) -> JSON {
        guard let json = builder.finish() else {
            throw JSONError(.tooLarge, message: "The document would be larger than 1 GiB")
        }
        return json
    }

    private init(_ build: (inout TapeBuilder) -> Void) {
        var builder = TapeBuilder()
        build(&builder)
        self = builder.finish() ?? JSON(tape: .empty, index: 0)
    }
}
