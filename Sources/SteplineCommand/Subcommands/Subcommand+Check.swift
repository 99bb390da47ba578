extension Subcommand {
    /// `stepline check FLOW`.
    static let check = Subcommand(
        name: "check", summary: "tell every mistake in a workflow file, and run nothing", operands: .flow,
        discussion: [
            """
            Each mistake is a line on stdout, with its line and column and a guess at what was meant, as editors and \
            scripts know it from compilers; on a terminal the text of its line follows, with a caret below the place. \
            Warnings alone are no failure.
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
