extension Subcommand {
    /// `stepline fetch URL…`.
    static let fetch = Subcommand(
        name: "fetch", summary: "load URLs, and parse, select and save what comes",
        operands: Operands(placeholder: "URL…", count: 0...(.max)),
        groups: [.display]
    ) { _, _ in
        throw UsageError("fetch isn't built yet")
    }
}
