extension Subcommand {
    /// All subcommands, in the order of the help.
    static let all: [Subcommand] = [
        .fetch, .crawl, .run, .runs, .work, .test, .check, .list, .graph, .schema, .new, .completion,
        .help,
    ]

    /// Returns the subcommand with a name; throws an error with a suggestion.
    static func named(_ name: String) throws(UsageError) -> Subcommand {
        if let found = all.first(where: { $0.name == name }) { return found }
        throw UsageError("unknown command '\(name)'" + Guess.question(name, among: all.map(\.name)))
    }
}
