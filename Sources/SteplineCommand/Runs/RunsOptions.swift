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
        "the store of runs: a file, or the URL of a server (for runs and work, STEPLINE_STORE)"
    )
    static let runKey = Option(text: "key", value: "KEY", "the key of the run (today's date)")
    static let runsOf = Option(text: "workflow", value: "NAME", "only runs of this workflow")
    static let forkFrom = Option(
        text: "from", value: "STEP", "with fork: run this step and its dependents again")
    static let forkTo = Option(text: "to", value: "KEY", "with fork: the key of the new run")
    static let workers = Option(
        text: "workers", value: "COUNT", "with --on slurm: the number of workers, such as 8 or 2..40")
    static let sbatch = Option(
        text: "sbatch", value: "OPTION", isRepeatable: true,
        "with --on slurm: pass an option to sbatch, such as --sbatch=--time=4:00:00")
    static let reason = Option(text: "reason", value: "TEXT", "with cancel: the reason, stored with the run")
}

extension Option<Bool> {
    static let retryingFailures = Option(
        flag: "retrying-failures", "run failed and cancelled tasks of the stored run again")
    static let asJSON = Option(flag: "json", "write JSON")
    static let workerLines = Option(
        flag: "json", "write each event of the worker to stdout as a line of JSON")
    static let followRun = Option(
        flag: "follow", short: "f", "with show: print changes until the run ends")
    static let value = Option(
        flag: "value", "with show KEY STEP: print the step's value, a text as it is, other values as JSON")
    static let withdraw = Option(
        flag: "withdraw", "with signal: remove a wrong signal, so that another can be sent")
    static let asText = Option(
        flag: "text", "with signal: the value is a text, not JSON")
}

extension Option<RunPlaceWord> {
    static let runPlace = Option(
        choice: "on", value: "PLACE",
        "run the tasks on workers: started by stepline work on any machine, or by Slurm")
}

extension Option<RunState> {
    static let runState = Option(choice: "state", value: "STATE", "with list: only runs in this state")
}

extension Option<Int> {
    static let slots = Option(
        number: "slots", in: WorkerSettings.slotCounts,
        "tasks that a worker runs at once (one a core); with --on workers, makes this process a worker")
}

extension Option<Duration> {
    static let idle = Option(time: "idle", "stop a worker after this time without work")
    static let grace = Option(
        time: "grace",
        "time for running tasks when a worker stops; unfinished ones are released (5s)")
    static let olderThan = Option(
        time: "older-than",
        "with list: runs created longer ago, such as 30d; with forget: runs that ended longer ago"
    )
}
