import SteplineSupport

/// Options of `sbatch` that a user hands on, as they are: `--partition=long`, `-plong`.
struct SlurmOptions: Sendable, Equatable {
    /// What can't be chosen, and why.
    private static let taken: [(name: String, letter: Unicode.Scalar?, reason: String)] = [
        ("array", "a", "--workers says how many workers there are"),
        ("job-name", "J", "by their name workers are found again"),
        ("wrap", nil, "what is run is a worker"),
        ("wait", "W", "the run waits for its steps"),
        ("test-only", nil, "workers are to be started"),
        ("clusters", "M", "workers are looked for on this cluster"),
    ]

    private static let exporting = "--export="

    private let words: [String]
    /// What of the environment a user wants workers to have.
    private let export: String?

    /// Takes them; throws if one is none, or isn't for a user to choose.
    init(_ words: [String]) throws {
        for word in words { try Self.check(word) }
        export = words.compactMap { $0.behind(Self.exporting) }.last
        self.words = words.filter { !$0.begins(with: Self.exporting) }
    }

    private static func check(_ word: String) throws {
        guard word.begins(with: "-"), word.unicodeScalars.contains(where: { $0 != "-" }) else {
            // The first such word would be taken for the program that is to be run.
            throw RunsError(
                "behind -- options of sbatch are handed on, each as one word such as --time=4:00:00; "
                    + "'\(word)' is none", isUsage: true)
        }
        guard !word.utf8.contains(0) else {
            throw RunsError("an option of sbatch holds a zero byte", isUsage: true)
        }
        let isLong = word.begins(with: "--")
        // sbatch takes the beginning of a name for the whole.
        let name = Substring(word.unicodeScalars.dropFirst(isLong ? 2 : 1).prefix { $0 != "=" })
        guard
            !isLong || word.begins(with: Self.exporting) || !"export".begins(with: name)
        else {
            throw RunsError(
                "'\(word)': write --export=… to choose what workers have of the environment", isUsage: true)
        }
        for option in taken
        where isLong
            ? option.name.begins(with: name)
            : option.letter != nil && name.unicodeScalars.first == option.letter
        {
            throw RunsError(
                "--\(option.name) can't be handed on to sbatch: \(option.reason)", isUsage: true)
        }
    }

    /// The words for `sbatch`; workers get these variables too, whatever else of the environment they have.
    func words(exporting variables: [String]) -> [String] {
        let names = variables.sorted().joined(separator: ",")
        let added = names.isEmpty ? "" : ",\(names)"
        let word =
            switch export {
            // What sbatch does by itself, unless the environment says otherwise.
            case nil: "ALL\(added)"
            case "NONE", "NIL": names.isEmpty ? "NONE" : names
            case let export?: export + added
            }
        return ["--export=\(word)"] + words
    }
}
