import SteplineSupport

/// An option with a typed value: a row of the option table and the key for its value.
struct Option<Value: Sendable>: Sendable {
    let row: OptionRow

    /// Creates an option with a value of any type.
    init(
        _ name: String, short: Character? = nil, formerly formerName: String? = nil, value: ValueRow,
        isRepeatable: Bool = false, _ summary: String, parse: @escaping @Sendable (String) -> Value?
    ) {
        row = OptionRow(
            name: name, formerName: formerName, short: short, value: value, isNegatable: false,
            isRepeatable: isRepeatable, summary: summary, parse: { parse($0) })
    }
}

extension Option<Bool> {
    /// Creates a flag.
    init(flag name: String, short: Character? = nil, isNegatable: Bool = false, _ summary: String) {
        row = OptionRow(
            name: name, short: short, value: nil, isNegatable: isNegatable, isRepeatable: false,
            summary: summary, parse: { $0 == "true" })
    }
}

extension Option<String> {
    /// Creates an option with any text as its value.
    init(
        text name: String, short: Character? = nil, formerly formerName: String? = nil,
        value placeholder: String, completion: ValueRow.Completion = .nothing, isRepeatable: Bool = false,
        _ summary: String
    ) {
        self.init(
            name, short: short, formerly: formerName,
            value: ValueRow(placeholder, expected: "a text", completion: completion),
            isRepeatable: isRepeatable, summary, parse: { $0 })
    }
}

extension Option<Int> {
    /// Creates an option with an integer within a range.
    init(
        number name: String, short: Character? = nil, in range: ClosedRange<Int>, _ summary: String
    ) {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        self.init(name, short: short, value: ValueRow("N", expected: expected), summary) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Option<Duration> {
    /// Creates an option with a duration.
    init(time name: String, short: Character? = nil, _ summary: String) {
        let value = ValueRow("TIME", expected: "a length of time such as 30s, 500ms or 2m")
        self.init(name, short: short, value: value, summary, parse: UnitText.duration)
    }
}

extension Option where Value: CaseIterable & RawRepresentable<String> {
    /// Creates an option with one of several words.
    init(choice name: String, short: Character? = nil, value placeholder: String, _ summary: String) {
        let choices = Value.allCases.map(\.rawValue)
        let value = ValueRow(
            placeholder, expected: "one of " + choices.joined(separator: ", "), completion: .choices(choices))
        self.init(name, short: short, value: value, summary) { Value(rawValue: $0) }
    }
}
