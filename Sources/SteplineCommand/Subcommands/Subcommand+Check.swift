extension Subcommand {
    /// `stepline check FLOW`.
    static let check = Subcommand(
        name: "check", summary: "report all mistakes in a workflow file; run nothing", operands: .flow,
        discussion: [
            """
            Each mistake is printed to stdout as compilers do: a line with line number, column and a suggestion. On a \
            terminal the source line follows, with a caret below the place. Warnings alone don't fail the check.
            """
        ],
        groups: [.flow],
        examples: [Example(command: "stepline check weather.json5", purpose: "before the first run")]
    ) { arguments, session in
        let input = try FlowInput(arguments, session)
        for line in input.lines(for: session.output, session) { try session.output.write(line + "\n") }
        guard let plan = input.plan else { return .mistakes }
        if input.isClean {
            let count = plan.file.tasks.count
            try session.output.write(
                "\(input.source.name): no mistakes, \(count) task\(count == 1 ? "" : "s")\n")
        }
        return .success
    }
}
