import SteplineRuns
import SteplineSupport

/// The executor of a durable run's tasks, if not this process.
enum RunPlaceWord: String, Sendable, CaseIterable {
    case workers
    case slurm
}

extension Option<String> {
    static let store = Option(
        text: "store", value: "STORE", completion: .file,
        "keep runs in this file, or at this URL of a server (the environment's STEPLINE_STORE, for runs and work)"
    )
    static let runKey = Option(text: "key", value: "KEY", "which run it is (today's date)")
    static let runsOf = Option(text: "workflow", value: "NAME", "look only at runs of this workflow")
    static let forkFrom = Option(
        text: "from", value: "STEP", "with fork: the step that is run again, with all that follows from it")
    static let forkTo = Option(text: "to", value: "KEY", "with fork: the key of the new run")
    static let workers = Option(
        text: "workers", value: "COUNT", "with --on slurm: how many workers there are, such as 8 or 2..40")
    static let sbatch = Option(
        text: "sbatch", value: "OPTION", isRepeatable: true,
        "with --on slurm: hand an option on to sbatch, such as --sbatch=--time=4:00:00")
    static let reason = Option(text: "reason", value: "TEXT", "why the run is cancelled")
}

extension Option<Bool> {
    static let retryingFailures = Option(
        flag: "retrying-failures", "run again what failed, or was cancelled, in an earlier run of that key")
    static let asJSON = Option(flag: "json", "write JSON")
    static let workerLines = Option(
        flag: "json", "write a line of JSON to stdout for all that the worker does")
    static let followRun = Option(
        flag: "follow", short: "f", "with show: tell what changes until the run is over")
    static let value = Option(
        flag: "value", "with show KEY STEP: write the step's value, a text as it is, anything else as JSON")
    static let withdraw = Option(
        flag: "withdraw", "with signal: remove a wrong signal, so that another can be sent")
    static let asText = Option(
        flag: "text", "take a condition's value for a text as it is, and not for JSON")
}

extension Option<RunPlaceWord> {
    static let runPlace = Option(
        choice: "on", value: "PLACE",
        "have workers run the tasks: those of stepline work on any machine, or those Slurm starts")
}

extension Option<RunState> {
    static let runState = Option(choice: "state", value: "STATE", "with list: only the runs in that state")
}

extension Option<Int> {
    static let slots = Option(
        number: "slots", in: WorkerSettings.slotCounts,
        "how many tasks a worker runs at once (one a core); with --on workers, this process as well")
}

extension Option<Duration> {
    static let idle = Option(time: "idle", "leave when there has been nothing to do for that long")
    static let grace = Option(
        time: "grace",
        "how long tasks may continue once the worker leaves; unfinished steps are returned (5s)")
    static let olderThan = Option(
        time: "older-than", "with list or forget: the runs that were begun, or ended, longer ago, such as 30d"
    )
}
