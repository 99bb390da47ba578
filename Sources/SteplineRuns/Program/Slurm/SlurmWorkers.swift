package import SteplineSupport

/// Workers of a run that Slurm starts: one array of jobs, each of which is a worker.
///
/// They are known by the name of their jobs, which is made of the run's, and not by numbers: so whoever goes on with
/// the run finds those of an earlier process, and a controller that has lost its jobs and counts anew leads nobody to a
/// job of another.
package struct SlurmWorkers: WorkerStarter {
    /// What a job is: the words behind it, as they are.
    private static let script = "#!/bin/sh\nexec \"$@\"\n"

    /// What a user may choose otherwise: jobs come back when they lose their machine, a worker is told a minute before
    /// its time is over, and one that comes back writes behind what it wrote before.
    private static let habits = ["--requeue", "--signal=B:TERM@60", "--open-mode=append"]

    /// The name of the jobs.
    package let name: String
    private let command: [String]
    private let options: SlurmOptions
    private let variables: [String: String]
    private let slurm: SlurmCommands

    /// Workers for a run.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - store: How its store is shown, without secrets.
    ///   - command: The program that is a worker, and its words. Others can read them.
    ///   - options: Options of `sbatch` that are handed on.
    ///   - variables: What workers have in their environment besides, such as the store's URL; nobody else sees it.
    ///   - environment: The environment of this process.
    ///   - clock: The clock.
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
        // Commas would make two names of it.
        let plain = run.workflow.prefix(40).map { letter in
            letter.isASCII && (letter.isLetter || letter.isNumber || "-_.".contains(letter)) ? letter : "_"
        }
        return "\(String(plain))-\(SHA256.digits(hash.prefix(6)))"
    }

    package func start(_ count: Int) async throws -> String {
        // An option that lacks its value takes the next word for it: that does no harm if it's one of two.
        let words =
            Self.habits + options.words(exporting: Array(variables.keys))
            + ["--parsable", "--parsable", "--array=1-\(count)", "--job-name=\(name)", "/dev/stdin"] + command
        let output = try await slurm.output(
            of: "sbatch", words, variables: variables, input: Self.script)
        // `7`, or `7;cluster`.
        let number = output.prefix { $0.isASCII && $0.isNumber }
        guard !number.isEmpty else {
            throw SlurmError(.unreadable, "sbatch told no job's number but: \(output.prefix(200))")
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
