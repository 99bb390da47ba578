import SteplineSupport

/// Options passed through to `sbatch`, such as `--partition=long` or `-plong`.
struct SlurmOptions: Sendable, Equatable {
    /// The options that users can't set, with the reason.
    private static let taken: [(name: String, letter: Unicode.Scalar?, reason: String)] = [
        ("array", "a", "--workers sets the number of workers"),
        ("job-name", "J", "workers are found by this name"),
        ("wrap", nil, "stepline sets the command of its workers"),
        ("wait", "W", "the run waits for its steps"),
        ("test-only", nil, "workers must start"),
        ("clusters", "M", "workers must run on this cluster"),
    ]

    private static let exporting = "--export="

    private let words: [String]
    /// The user's value of `--export`.
    private let export: String?

    /// Checks the options; throws an error for a word that is no option, or an option that is reserved.
    init(_ words: [String]) throws {
        for word in words { try Self.check(word) }
        // The last option counts, as in sbatch.
        export = words.compactMap { $0.after(Self.exporting) }.last
        self.words = words.filter { !$0.begins(with: Self.exporting) }
    }

    private static func check(_ word: String) throws {
        guard word.begins(with: "-"), word.unicodeScalars.contains(where: { $0 != "-" }) else {
            // sbatch would take a word without a dash for the job's program.
            throw RunsError(
                "options of sbatch after -- are passed on, each as one word such as --time=4:00:00; "
                    + "'\(word)' is none", isUsage: true)
        }
        guard !word.utf8.contains(0) else {
            throw RunsError("an option of sbatch has a zero byte", isUsage: true)
        }
        let isLong = word.begins(with: "--")
        // sbatch accepts unambiguous prefixes of option names.
        let name = Substring(word.unicodeScalars.dropFirst(isLong ? 2 : 1).prefix { $0 != "=" })
        guard
            !isLong || word.begins(with: Self.exporting) || !"export".begins(with: name)
        else {
            throw RunsError(
                "'\(word)': write --export=… to set the workers' environment", isUsage: true)
        }
        for option in taken
        where isLong
            ? option.name.begins(with: name)
            : option.letter != nil && name.unicodeScalars.first == option.letter
        {
            throw RunsError(
                "--\(option.name) can't be passed to sbatch: \(option.reason)", isUsage: true)
        }
    }

    /// Returns the options for `sbatch`; workers also receive the given variables, whatever the user exports.
    func words(exporting variables: [String]) -> [String] {
        let names = variables.sorted().joined(separator: ",")
        let added = names.isEmpty ? "" : ",\(names)"
        let word =
            switch export {
            // The default of sbatch, unless the environment changes it.
            case nil: "ALL\(added)"
            case "NONE", "NIL": names.isEmpty ? "NONE" : names
            case let export?: export + added
            }
        return ["--export=\(word)"] + words
    }
}
