extension Subcommand {
    /// `stepline check FLOW`.
    static let check = Subcommand(
        name: "check", summary: "tell every mistake in a workflow file, and run nothing", operands: .flow,
        groups: [.flow]
    ) { _, _ in
        throw UsageError("check isn't built yet")
    }
}
