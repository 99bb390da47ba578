import SteplineJSON

/// A function that formulas can call: pure, and bounded by what it is given.
struct FlowFunction: Sendable {
    /// What a function has been given and can't work with.
    struct Misuse: Error {
        let message: String
    }

    let name: String
    /// How many arguments it takes.
    let counts: ClosedRange<Int>
    /// What its result is, if that is always the same.
    let gives: JSON.Kind?
    /// How it is called, and what it gives.
    let usage: String
    /// Whether its second argument is a regular expression.
    var takesPattern = false
    /// Whether it compares values with all that is in them.
    let comparesWhole: Bool
    /// Whether its result can be large though nothing of it was there before; none is larger than `mostText`.
    let makesMuch: Bool
    let apply: @Sendable ([JSON]) throws -> JSON

    init(
        _ name: String, _ counts: ClosedRange<Int>, _ gives: JSON.Kind?, _ usage: String,
        makesMuch: Bool = false, comparesWhole: Bool = false,
        _ apply: @escaping @Sendable ([JSON]) throws -> JSON
    ) {
        self.name = name
        self.counts = counts
        self.gives = gives
        self.usage = usage
        self.makesMuch = makesMuch
        self.comparesWhole = comparesWhole
        self.apply = apply
    }

    static let all = numbers + texts + patterns + collections + lists + dates

    static func named(_ name: String) -> FlowFunction? { byName[name] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension FlowFunction {
    /// The longest text that a function makes, in bytes.
    static let mostText = ExpressionBudget.standard

    static func text(_ value: JSON) throws -> String {
        guard let text = value.string else { throw Misuse(message: "a text is wanted, not \(value.article)") }
        return text
    }

    static func number(_ value: JSON) throws -> Double {
        guard let number = value.double else {
            throw Misuse(message: "a number is wanted, not \(value.article)")
        }
        return number
    }

    static func whole(_ value: JSON, in range: ClosedRange<Int>) throws -> Int {
        guard let number = value.int, range.contains(number) else {
            throw Misuse(message: "a whole number from \(range.lowerBound) to \(range.upperBound) is wanted")
        }
        return number
    }

    static func list(_ value: JSON) throws -> [JSON] {
        guard let list = value.array else { throw Misuse(message: "a list is wanted, not \(value.article)") }
        return list
    }
}
