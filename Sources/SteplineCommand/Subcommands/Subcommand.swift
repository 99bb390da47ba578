/// A subcommand: the table of what it takes, and what it does.
struct Subcommand: Sendable {
    /// Options under a heading of the help.
    struct Group: Sendable {
        let title: String
        let rows: [OptionRow]
    }

    /// What is given besides options.
    struct Operands: Sendable {
        let placeholder: String
        let count: ClosedRange<Int>
        var completion = ValueRow.Completion.nothing

        static let none = Operands(placeholder: "", count: 0...0)
    }

    /// A command line, and what it does.
    struct Example: Sendable {
        let command: String
        let purpose: String
    }

    let name: String
    /// What it does, in a line without a full stop.
    let summary: String
    let operands: Operands
    /// Paragraphs that say what the summary doesn't.
    var discussion: [String] = []
    let groups: [Group]
    var examples: [Example] = []
    /// Does it; an error thrown is told in one line.
    let run: @Sendable (Arguments, Session) async throws -> ExitCode

    /// All rows, the ones that every subcommand has included.
    var rows: [OptionRow] { allGroups.flatMap(\.rows) }

    /// All groups, the ones that every subcommand has included.
    var allGroups: [Group] { groups + [.general] }

    /// The first line of its help: `stepline fetch [OPTION]… URL…`.
    var usage: String {
        let operand = operands.placeholder.isEmpty ? "" : " " + operands.placeholder
        return "stepline \(name) [OPTION]…\(operand)"
    }

    /// Throws if there are too few operands or too many.
    func check(_ arguments: Arguments) throws(UsageError) {
        let count = arguments.operands.count
        if count < operands.count.lowerBound { throw UsageError("\(operands.placeholder) is missing") }
        if count > operands.count.upperBound {
            throw UsageError("'\(arguments.operands[operands.count.upperBound])' is too much")
        }
    }
}

extension Subcommand.Group {
    /// What every subcommand takes.
    static let general = Subcommand.Group(title: "General", rows: [Option.help.row])
}

extension Option<Bool> {
    static let help = Option(flag: "help", short: "h", "show this help")
}
