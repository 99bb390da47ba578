import SteplineSupport

/// The options of `run` about workers: `--on slurm --workers 2..40 -- --partition=long`.
package struct WorkerWords: Equatable, Sendable {
    /// The smallest and the largest number of workers.
    let bounds: ClosedRange<Int>
    /// Whether Slurm starts the workers; otherwise the user does.
    package let isSlurm: Bool
    /// The options for `sbatch`.
    let options: [String]

    /// Parses the options; returns nil if the run stays in this process.
    init?(_ words: ProgramWords) throws {
        try self.init(place: words["on"], workers: words["workers"], options: words.afterDashes)
    }

    /// Parses the options; returns nil without a place.
    package init?(place: String?, workers: String?, options: [String]) throws {
        guard place == nil || ["slurm", "workers"].contains(place) else {
            throw RunsError("--on expects slurm or workers, got '\(place ?? "")'", isUsage: true)
        }
        isSlurm = place == "slurm"
        self.options = options
        guard isSlurm else {
            if workers != nil {
                throw RunsError("--workers requires --on slurm", isUsage: true)
            }
            guard place != nil else { return nil }
            // Not used: the user starts the workers.
            bounds = 1...1
            return
        }
        guard let workers else {
            throw RunsError(
                "--workers is missing: give a number such as 8, or a range such as 2..40", isUsage: true)
        }
        bounds = try Self.bounds(workers)
    }

    /// Parses `8` or `2..40`.
    private static func bounds(_ text: String) throws -> ClosedRange<Int> {
        let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(number)
        // A single number is both ends. nil is a word that is no number.
        switch (ends.first ?? nil, ends.last ?? nil) {
        case (let low?, let high?) where ends.count <= 2 && low <= high: return low...high
        default:
            throw RunsError(
                "--workers expects a number such as 8, or a range such as 2..40, got '\(text)'", isUsage: true
            )
        }
    }

    private static func number(_ text: Substring) -> Int? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text), number > 0 else {
            return nil
        }
        return number
    }

    /// Returns the starter of a run's workers; the store's location is passed in their environment only.
    ///
    /// Throws an error if other machines can't use the store.
    func starter(
        of run: RunID, at place: RunStorePlace, command: [String], environment: [String: String],
        clock: any StepClock
    ) throws -> SlurmWorkers {
        guard place.isForManyMachines else {
            throw RunsError(
                "\(place.shown) is a store of one machine: "
                    + "workers under Slurm require a server, such as --store postgresql://…", isUsage: true)
        }
        return try SlurmWorkers(
            of: run, store: place.shown, command: command, options: options,
            // The address may contain a password, and other users can read command lines.
            variables: ["STEPLINE_STORE": place.address], environment: environment, clock: clock)
    }
}
