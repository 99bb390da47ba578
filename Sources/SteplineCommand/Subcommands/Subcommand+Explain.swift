extension Subcommand {
    /// `stepline explain FLOW TASK`.
    static let explain = Subcommand(
        name: "explain", summary: "say what a task of a workflow file does and waits for",
        operands: Operands(placeholder: "FLOW TASK", count: 2...2, completion: .file), groups: [.flow]
    ) { _, _ in
        throw UsageError("explain isn't built yet")
    }
}
