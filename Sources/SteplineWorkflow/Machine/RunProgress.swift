import SteplineEngine
import SteplineSupport

/// How far a run of a workflow is, as a whole.
///
/// A run begins with `start`, or when a task becomes busy. It settles when no task is busy and no request is on its way
/// back to a pool: nothing more happens by itself. While it hasn't settled it keeps the workflow alive.
///
/// | `isRunning` | `isSettled` | State |
/// | --- | --- | --- |
/// | false | true | idle, or settled |
/// | true | false | a run by `start`, `retry` or `rerun` |
/// | false | false | single tasks run that were started by themselves |
///
/// Settling takes two steps. The transaction after which no task is busy queues an effect behind all notifications. The
/// effect settles the run, unless a listener has started something.
struct RunProgress {
    /// The workflow was started, and hasn't settled.
    private(set) var isRunning = false
    /// Nothing happens by itself.
    private(set) var isSettled = true
    /// The number of requests that are being given back to pools.
    var returns = 0
    /// Whether the effect that settles the run is queued.
    var isSettling = false
    private(set) var cancellation = CancellationReason.requested
    private(set) var isOverdue = false
    /// Whether a single task was started since the run settled last.
    private(set) var isAskedFor = false
    /// How many attempts had begun when the run settled last.
    private(set) var begunBefore = 0
    /// When the run began, and when it settled last.
    private var began = Instant.zero
    private var settled = Instant.zero
    /// The workflow itself, until the run settles.
    private var alive: Workflow?
    private var runners: [OneShot<RunReport>] = []

    mutating func start() {
        isRunning = true
        // The end of an earlier run says nothing about this one.
        isOverdue = false
        cancellation = .requested
    }

    /// Notes that a single task was started: what comes of that is a run, too.
    mutating func askFor() { isAskedFor = true }

    mutating func cancel(_ reason: CancellationReason, isOverdue: Bool) {
        cancellation = reason
        self.isOverdue = isOverdue
    }

    /// Adds a waiter for the end of the run.
    mutating func add(_ runner: OneShot<RunReport>) { runners.append(runner) }

    /// How long the run that has settled last took, or how long the present one has run.
    func duration(at now: Instant) -> Duration { max(.zero, (isSettled ? settled : now) - began) }

    /// Notes that a task is busy, and keeps the workflow alive until the run has settled.
    mutating func wake(_ workflow: Workflow?, at now: Instant) {
        isSettled = false
        began = now
        alive = workflow
    }

    /// Has a started workflow settle again, also one without tasks.
    mutating func settleAnew(_ workflow: Workflow?, at now: Instant) {
        if isSettled { wake(workflow, at: now) }
    }

    /// Settles the run; returns its waiters, and the workflow, which the caller releases after unlock.
    mutating func settle(begun: Int, at now: Instant) -> (runners: [OneShot<RunReport>], alive: Workflow?) {
        isSettled = true
        settled = now
        begunBefore = begun
        isRunning = false
        isAskedFor = false
        // The waiters get the report of this run, and no later one.
        defer {
            runners = []
            alive = nil
        }
        return (runners, alive)
    }
}
