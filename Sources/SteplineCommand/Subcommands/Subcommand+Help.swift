extension Subcommand {
    /// `stepline help [COMMAND]`.
    static let help = Subcommand(
        name: "help", summary: "show help for a command, or the manual page",
        operands: Operands(placeholder: "[COMMAND]", count: 0...1, completion: .choices(helpTopics)),
        groups: [Group(title: "Help", rows: [Option.man.row])],
        examples: [Example(command: "stepline help --man | man -l -", purpose: "read the manual page")]
    ) { arguments, session in
        if arguments.isOn(.man) {
            try session.output.write(ManPage.text)
        } else if let name = arguments.operands.first {
            try session.output.write(HelpText.text(of: .named(name)))
        } else {
            try session.output.write(HelpText.overview)
        }
        return .success
    }

    // Listed literally: the table of all subcommands contains this one, which would be a cycle.
    private static let helpTopics = [
        "fetch", "crawl", "run", "runs", "work", "test", "check", "list", "graph", "schema", "new",
        "completion", "help",
    ]
}

extension Option<Bool> {
    static let man = Option(flag: "man", "write the manual page for man(1)")
}
