extension Subcommand {
    /// `stepline run FLOW`.
    static let run = Subcommand(
        name: "run", summary: "run a workflow file", operands: .flow,
        groups: [
            .flow,
            Group(title: "Running", rows: [Option.jobs.row, Option.failFast.row]),
            .display,
        ]
    ) { _, _ in
        throw UsageError("run isn't built yet")
    }
}
