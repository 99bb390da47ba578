public import Foundation

extension JSON {
    /// `null`.
    public static let null = JSON { $0.append(.null, []) }

    /// A string.
    public init(_ text: String) { self.init { $0.append(text: text) } }

    /// A truth.
    public init(_ truth: Bool) { self.init { $0.append(truth ? .yes : .no, []) } }

    /// A whole number of any width.
    public init(_ number: some BinaryInteger) { self.init { $0.append(number: String(number)) } }

    /// A number, in the shortest form that reads back the same; `null` if it isn't finite, for JSON has no
    /// such number.
    public init(_ number: Double) {
        self.init { number.isFinite ? $0.append(number: number.description) : $0.append(.null, []) }
    }

    /// A number with all its digits; `null` if it is no number.
    public init(_ number: Decimal) {
        self.init { number.isNaN ? $0.append(.null, []) : $0.append(number: number.description) }
    }

    /// An array of these values, which are copied.
    ///
    /// `.tooLarge` beyond 1 GiB.
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

    /// An object of these members, in order, which are copied; of equal keys the last one stays.
    ///
    /// `.tooLarge` beyond 1 GiB.
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
