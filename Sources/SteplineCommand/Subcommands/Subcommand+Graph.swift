extension Subcommand {
    /// `stepline graph FLOW`.
    static let graph = Subcommand(
        name: "graph", summary: "draw the tasks of a workflow file", operands: .flow,
        groups: [.flow, Group(title: "Drawing", rows: [Option.graphFormat.row, Option.graphOut.row])]
    ) { _, _ in
        throw UsageError("graph isn't built yet")
    }
}
