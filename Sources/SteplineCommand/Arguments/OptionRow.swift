/// A row of the option table, the source of the parser, the help, the manual page and the completions.
struct OptionRow: Sendable {
    /// The long name, without dashes.
    let name: String
    /// The former name, which is refused with the new one.
    var formerName: String?
    /// The one-letter name, if any.
    let short: Character?
    /// The value; nil for a flag.
    let value: ValueRow?
    /// Whether `--no-name` turns the flag off.
    let isNegatable: Bool
    /// Whether all given values count, not only the last.
    let isRepeatable: Bool
    /// A description without a full stop.
    let summary: String
    /// Converts a text to the value; nil if it is invalid.
    let parse: @Sendable (String) -> (any Sendable)?

    /// The option as written in help texts: `-j, --jobs N`.
    var spelling: String {
        let letter = short.map { "-\($0), " } ?? "    "
        let long = isNegatable ? "--[no-]\(name)" : "--\(name)"
        return letter + long + (value.map { " \($0.placeholder)" } ?? "")
    }
}

/// The value of an option.
struct ValueRow: Sendable {
    /// The way in which a shell completes the value.
    enum Completion: Sendable {
        case nothing, file, folder
        /// The tasks of the workflow file among the words; files as long as there is none.
        case tasks
        /// The parameters of that file, each with an equals sign.
        case parameters
        case choices([String])
    }

    /// The placeholder in help texts: `N`, `FILE`.
    let placeholder: String
    /// A description of valid values, for errors: `a number from 1 to 64`.
    let expected: String
    let completion: Completion

    init(_ placeholder: String, expected: String, completion: Completion = .nothing) {
        self.placeholder = placeholder
        self.expected = expected
        self.completion = completion
    }

    /// The valid values if there are few.
    var choices: [String] {
        if case .choices(let choices) = completion { choices } else { [] }
    }
}
