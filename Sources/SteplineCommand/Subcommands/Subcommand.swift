/// A subcommand: its option table and its implementation.
struct Subcommand: Sendable {
    /// Options under a heading of the help.
    struct Group: Sendable {
        let title: String
        let rows: [OptionRow]
    }

    /// The operands.
    struct Operands: Sendable {
        let placeholder: String
        let count: ClosedRange<Int>
        var completion = ValueRow.Completion.nothing

        static let none = Operands(placeholder: "", count: 0...0)
    }

    /// An example command line.
    struct Example: Sendable {
        let command: String
        let purpose: String
    }

    let name: String
    /// A description without a full stop.
    let summary: String
    let operands: Operands
    /// Paragraphs for the help.
    var discussion: [String] = []
    let groups: [Group]
    var examples: [Example] = []
    /// Executes the subcommand; a thrown error is printed as one line.
    let run: @Sendable (Arguments, Session) async throws -> ExitCode

    /// The rows of all groups.
    var rows: [OptionRow] { allGroups.flatMap(\.rows) }

    /// All groups, including the general one.
    var allGroups: [Group] { groups + [.general] }

    /// The usage line: `stepline fetch [OPTION]… URL…`.
    var usage: String {
        let operand = operands.placeholder.isEmpty ? "" : " " + operands.placeholder
        return "stepline \(name) [OPTION]…\(operand)"
    }

    /// Throws if the number of operands is wrong.
    func check(_ arguments: Arguments) throws(UsageError) {
        let count = arguments.operands.count
        if count < operands.count.lowerBound { throw UsageError("\(operands.placeholder) is missing") }
        if count > operands.count.upperBound {
            throw UsageError("unexpected argument '\(arguments.operands[operands.count.upperBound])'")
        }
    }
}

extension Subcommand.Group {
    /// The options of every subcommand.
    static let general = Subcommand.Group(title: "General", rows: [Option.help.row])
}

extension Option<Bool> {
    static let help = Option(flag: "help", short: "h", "show this help")
}
