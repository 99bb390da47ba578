/// An option as one row of the table that parsing, help, man page and completions are made from.
struct OptionRow: Sendable {
    /// The long name, without dashes.
    let name: String
    /// The letter, if it has one.
    let short: Character?
    /// What it takes; nil for a flag.
    let value: ValueRow?
    /// Whether `--no-name` says the opposite.
    let isNegatable: Bool
    /// Whether all that are given count, and not only the last.
    let isRepeatable: Bool
    /// What it does, without a full stop.
    let summary: String
    /// Makes the value of a text; nil if it isn't one.
    let parse: @Sendable (String) -> (any Sendable)?

    /// The option as it is written in texts: `-j, --jobs N`.
    var spelling: String {
        let letter = short.map { "-\($0), " } ?? "    "
        let long = isNegatable ? "--[no-]\(name)" : "--\(name)"
        return letter + long + (value.map { " \($0.placeholder)" } ?? "")
    }
}

/// What an option takes.
struct ValueRow: Sendable {
    /// How a shell completes it.
    enum Completion: Sendable {
        case nothing, file, folder
        case choices([String])
    }

    /// What stands for it in texts: `N`, `FILE`.
    let placeholder: String
    /// What is wanted, for the error: `a number from 1 to 64`.
    let wanted: String
    let completion: Completion

    init(_ placeholder: String, wanted: String, completion: Completion = .nothing) {
        self.placeholder = placeholder
        self.wanted = wanted
        self.completion = completion
    }

    /// The values there are, if they are few.
    var choices: [String] {
        if case .choices(let choices) = completion { choices } else { [] }
    }
}
