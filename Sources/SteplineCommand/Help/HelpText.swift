/// The text of `--help`, generated from the tables.
enum HelpText {
    /// The list of all subcommands.
    static var overview: String {
        var lines = [
            "stepline: run steps and workflows from a shell", "",
            "usage: stepline COMMAND [OPTION]… [OPERAND]…", "       stepline --help | --version", "",
            "Commands",
        ]
        for command in Subcommand.all {
            lines += TextLayout.definition(command.name, command.summary, column: 16)
        }
        lines += ["", "Exit codes"]
        for code in ExitCode.all {
            lines += TextLayout.definition(String(code.number), code.meaning, column: 16)
        }
        lines += [
            "", "`stepline COMMAND --help` describes a command, `stepline help --man` is the manual.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the help of one subcommand.
    static func text(of command: Subcommand) -> String {
        var lines = ["stepline \(command.name): \(command.summary)", "", "usage: \(command.usage)"]
        for paragraph in command.discussion { lines += [""] + TextLayout.wrapped(paragraph) }
        for group in command.allGroups {
            lines += ["", group.title]
            for row in group.rows { lines += TextLayout.definition(row.spelling, row.summary, column: 30) }
        }
        if !command.examples.isEmpty {
            lines += ["", "Examples"]
            for example in command.examples { lines += ["  # \(example.purpose)", "  \(example.command)"] }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
