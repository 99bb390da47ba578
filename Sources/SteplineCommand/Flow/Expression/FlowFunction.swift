import SteplineJSON

/// A function of formulas: pure, and limited by the size of its arguments.
struct FlowFunction: Sendable {
    /// The error for arguments that the function can't process.
    struct Misuse: Error {
        let message: String
    }

    let name: String
    /// The parameter of each position.
    let takes: [FunctionArgument]
    /// The parameter for every argument if the function also accepts any number of them.
    let many: FunctionArgument?
    /// The kind of the result if it is always the same.
    let gives: JSON.Kind?
    /// A short description of the call and its result.
    let usage: String
    /// Whether the second argument is a regular expression.
    let takesPattern: Bool
    /// Whether the result can be large and entirely new; its size is at most `mostText`.
    let makesMuch: Bool
    private let apply: @Sendable ([JSON], PatternSteps) throws -> JSON

    init(
        _ name: String, _ takes: [FunctionArgument], orMany many: FunctionArgument? = nil,
        _ gives: JSON.Kind?,
        _ usage: String, makesMuch: Bool = false,
        _ apply: @escaping @Sendable ([JSON]) throws -> JSON
    ) {
        self.name = name
        self.takes = takes
        self.many = many
        self.gives = gives
        self.usage = usage
        self.makesMuch = makesMuch
        takesPattern = false
        self.apply = { values, _ in try apply(values) }
    }

    /// Creates a function whose second argument is a regular expression, which uses the step's pattern budget.
    init(
        pattern name: String, _ takes: [FunctionArgument], _ gives: JSON.Kind?, _ usage: String,
        makesMuch: Bool = false, _ apply: @escaping @Sendable ([JSON], PatternSteps) throws -> JSON
    ) {
        self.name = name
        self.takes = takes
        many = nil
        self.gives = gives
        self.usage = usage
        takesPattern = true
        self.makesMuch = makesMuch
        self.apply = apply
    }

    private static let most = 16

    /// The valid numbers of arguments.
    var counts: ClosedRange<Int> {
        takes.count { !$0.isOptional }...(many == nil ? takes.count : Self.most)
    }

    /// Returns the parameters for a number of arguments.
    func takes(_ count: Int) -> [FunctionArgument] {
        if let many, count > takes.count { return Array(repeating: many, count: count) }
        return Array(takes.prefix(count))
    }

    /// Returns the result; throws ``Misuse`` for invalid arguments.
    func call(_ arguments: [JSON], steps: PatternSteps = PatternSteps()) throws -> JSON {
        for (argument, expected) in zip(arguments, takes(arguments.count)) {
            if let kinds = expected.kinds, !kinds.contains(argument.kind) {
                throw Misuse(message: Self.expected(kinds, not: argument.kind))
            }
        }
        return try apply(arguments, steps)
    }

    /// Returns the message for an argument of a wrong kind.
    static func expected(_ kinds: Set<JSON.Kind>, not kind: JSON.Kind) -> String {
        "expected \(kinds.article), not \(kind.article)"
    }

    static let all = numbers + texts + patterns + collections + lists + dates

    static func named(_ name: String) -> FlowFunction? { byName[name] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension FlowFunction {
    /// The longest text that a function may create, in bytes.
    static let mostText = ExpressionBudget.standard

    static func text(_ value: JSON) throws -> String {
        guard let text = value.string else { throw Misuse(message: expected([.string], not: value.kind)) }
        return text
    }

    static func number(_ value: JSON) throws -> Double {
        guard let number = value.double else {
            throw Misuse(message: expected([.number], not: value.kind))
        }
        return number
    }

    static func whole(_ value: JSON, in range: ClosedRange<Int>) throws -> Int {
        guard let number = value.int, range.contains(number) else {
            throw Misuse(message: "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func list(_ value: JSON) throws -> [JSON] {
        guard let list = value.array else { throw Misuse(message: expected([.array], not: value.kind)) }
        return list
    }
}
