package import SteplineSupport

/// Workers started by Slurm: one array of jobs, each job a worker.
///
/// Jobs are identified by a name derived from run and store, not by job numbers. A process that resumes the run
/// therefore finds the jobs of an earlier process. Job numbers may be reused after a controller has lost its state.
package struct SlurmWorkers: WorkerStarter {
    /// The job script, which executes its arguments unchanged.
    private static let script = "#!/bin/sh\nexec \"$@\"\n"

    /// Default options, which the user can override: requeue after the loss of a machine, SIGTERM one minute before the
    /// time limit, append to the output file.
    private static let habits = ["--requeue", "--signal=B:TERM@60", "--open-mode=append"]

    /// The name of the jobs.
    package let name: String
    private let command: [String]
    private let options: SlurmOptions
    private let variables: [String: String]
    private let slurm: SlurmCommands

    /// Creates the starter of a run's workers.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - store: The location of the store without secrets.
    ///   - command: The worker's program and its arguments, visible to other users.
    ///   - options: Options for `sbatch`.
    ///   - variables: Additional environment variables of the workers, such as the store's URL; not visible to other
    ///     users.
    ///   - environment: The environment of this process.
    ///   - clock: The clock.
    /// - Throws: A `RunsError` if an option can't be passed on.
    package init(
        of run: RunID, store: String, command: [String], options: [String], variables: [String: String],
        environment: [String: String], clock: any StepClock
    ) throws {
        name = Self.name(run, store)
        self.command = command
        self.options = try SlurmOptions(options)
        self.variables = variables
        slurm = SlurmCommands(environment: environment, clock: clock)
    }

    private static func name(_ run: RunID, _ store: String) -> String {
        let hash = Array("\(run.workflow)\0\(run.key)\0\(store)".utf8).withUnsafeBytes { SHA256.hash($0) }
        // squeue and scancel separate names by commas.
        let plain = run.workflow.prefix(40).map { letter in
            letter.isASCII && (letter.isLetter || letter.isNumber || "-_.".contains(letter)) ? letter : "_"
        }
        return "\(String(plain))-\(SHA256.digits(hash.prefix(6)))"
    }

    package func start(_ count: Int) async throws -> String {
        // A user option without its value would consume the next word: the repeated --parsable makes that harmless.
        let words =
            Self.habits + options.words(exporting: Array(variables.keys))
            + ["--parsable", "--parsable", "--array=1-\(count)", "--job-name=\(name)", "/dev/stdin"] + command
        let output = try await slurm.output(
            of: "sbatch", words, variables: variables, input: Self.script)
        // The output is `7` or `7;cluster`.
        let number = output.prefix { $0.isASCII && $0.isNumber }
        guard !number.isEmpty else {
            throw SlurmError(.unreadable, "sbatch printed no job number but: \(output.prefix(200))")
        }
        let jobs = count == 1 ? "\(number)_1" : "\(number)_1 to \(number)_\(count)"
        return "started \(RunsText.count(count, "worker")) as Slurm's \(count == 1 ? "job" : "jobs") \(jobs)"
    }

    package func tally() async throws -> WorkerTally {
        let format = SlurmJobs.format
        return SlurmJobs.tally(
            try await slurm.output(
                of: "squeue", ["--noheader", "--array", "--me", "--name=\(name)", "--format=\(format)"]))
    }

    package func cancel() async throws {
        _ = try await slurm.output(of: "scancel", ["--quiet", "--me", "--name=\(name)"])
    }
}
