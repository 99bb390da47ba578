extension Subcommand {
    /// `stepline explain FLOW [TASK]`.
    static let explain = Subcommand(
        name: "explain", summary: "explain what a workflow file's tasks do and wait for",
        operands: Operands(placeholder: "FLOW [TASK]", count: 1...2, completion: .tasks),
        discussion: [
            """
            Prints what TASK, or each task, would read, write and run; runs nothing. A task of an included file has \
            the including task's name as a prefix: all/load.
            """
        ],
        groups: [.flow],
        examples: [
            Example(command: "stepline explain weather.json5", purpose: "all tasks"),
            Example(command: "stepline explain weather.json5 forecast", purpose: "one task"),
        ]
    ) { arguments, session in
        let input = try FlowInput(arguments, session)
        guard let plan = input.plan else {
            try input.complain(in: session)
            return .mistakes
        }
        guard arguments.operands.count > 1 else {
            let texts = plan.file.tasks.map { FlowExplanation(of: $0, in: plan).text }
            try session.output.write(texts.joined(separator: "\n"))
            return .success
        }
        let name = arguments.operands[1]
        guard let (task, plan) = plan.task(named: name) else {
            throw UsageError(
                "\(input.source.name) has no task '\(name)'"
                    + Guess.question(name, among: plan.file.tasks.map(\.name)))
        }
        try session.output.write(FlowExplanation(of: task, in: plan).text)
        return .success
    }
}
