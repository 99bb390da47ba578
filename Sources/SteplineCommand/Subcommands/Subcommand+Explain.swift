extension Subcommand {
    /// `stepline explain FLOW TASK`.
    static let explain = Subcommand(
        name: "explain", summary: "say what a task of a workflow file does and waits for",
        operands: Operands(placeholder: "FLOW TASK", count: 2...2, completion: .file),
        discussion: [
            """
            It tells what the task would read, write and run, and runs nothing. A task of a file that another task \
            runs is named after that task: all/load.
            """
        ],
        groups: [.flow],
        examples: [Example(command: "stepline explain weather.json5 forecast", purpose: "one task in words")]
    ) { arguments, session in
        let input = try FlowInput(arguments, session)
        guard let plan = input.plan else {
            try input.complain(in: session)
            return .mistakes
        }
        let name = arguments.operands.count > 1 ? arguments.operands[1] : ""
        guard let (task, plan) = plan.task(named: name) else {
            throw UsageError(
                "\(input.source.name) has no task '\(name)'"
                    + Guess.question(name, among: plan.file.tasks.map(\.name)))
        }
        try session.output.write(FlowExplanation(of: task, in: plan).text)
        return .success
    }
}
