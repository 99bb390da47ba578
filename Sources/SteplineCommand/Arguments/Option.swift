import SteplineSupport

/// An option with the type of its value: what the table holds, and the key that the value is asked for by.
struct Option<Value: Sendable>: Sendable {
    let row: OptionRow

    /// Makes an option with a value of any kind.
    init(
        _ name: String, short: Character? = nil, value: ValueRow, isRepeatable: Bool = false,
        _ summary: String, parse: @escaping @Sendable (String) -> Value?
    ) {
        row = OptionRow(
            name: name, short: short, value: value, isNegatable: false, isRepeatable: isRepeatable,
            summary: summary, parse: { parse($0) })
    }

    /// Makes an option that is given without a value, and stands for this one.
    init(flag name: String, meaning value: Value, _ summary: String) {
        row = OptionRow(
            name: name, short: nil, value: nil, isNegatable: false, isRepeatable: false, summary: summary,
            parse: { $0 == "true" ? value : nil })
    }
}

extension Option<Bool> {
    /// Makes an option that is on or off.
    init(flag name: String, short: Character? = nil, isNegatable: Bool = false, _ summary: String) {
        row = OptionRow(
            name: name, short: short, value: nil, isNegatable: isNegatable, isRepeatable: false,
            summary: summary, parse: { $0 == "true" })
    }
}

extension Option<String> {
    /// Makes an option that takes any text.
    init(
        text name: String, short: Character? = nil, value placeholder: String,
        completion: ValueRow.Completion = .nothing, isRepeatable: Bool = false, _ summary: String
    ) {
        self.init(
            name, short: short, value: ValueRow(placeholder, wanted: "a text", completion: completion),
            isRepeatable: isRepeatable, summary, parse: { $0 })
    }
}

extension Option<Int> {
    /// Makes an option that takes a whole number of a range.
    init(
        number name: String, short: Character? = nil, in range: ClosedRange<Int>, _ summary: String
    ) {
        let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        self.init(name, short: short, value: ValueRow("N", wanted: wanted), summary) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension Option<Duration> {
    /// Makes an option that takes a length of time.
    init(time name: String, short: Character? = nil, _ summary: String) {
        let value = ValueRow("TIME", wanted: "a length of time such as 30s, 500ms or 2m")
        self.init(name, short: short, value: value, summary, parse: UnitText.duration)
    }
}

extension Option where Value: CaseIterable & RawRepresentable<String> {
    /// Makes an option that takes one of a few words.
    init(choice name: String, short: Character? = nil, value placeholder: String, _ summary: String) {
        let choices = Value.allCases.map(\.rawValue)
        let value = ValueRow(
            placeholder, wanted: "one of " + choices.joined(separator: ", "), completion: .choices(choices))
        self.init(name, short: short, value: value, summary) { Value(rawValue: $0) }
    }
}
