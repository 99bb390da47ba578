public import Dispatch
public import SteplineSupport

/// The options of a workflow.
public struct WorkflowOptions: Sendable {
    /// The effect of a final failure on other tasks.
    public enum OnFailure: Sendable, Hashable {
        /// Tasks that don't depend on the failed one continue.
        case finishOthers
        /// All tasks that haven't ended are cancelled, except cleanups.
        case cancelOthers
    }

    /// The effect of a failure on tasks that don't depend on the failed one.
    public var onFailure = OnFailure.finishOthers
    /// The maximum number of live bodies, including suspended `async` ones; nil for no limit.
    ///
    /// A subworkflow isn't a body: its inner workflow has its own limit. The elements of a map use this limit.
    public var maximumConcurrency: Int?
    /// Whether names must be unique.
    public var requiresUniqueNames = false
    /// The time limit of a run, after which the remaining tasks except cleanups are cancelled; nil for no limit.
    public var deadline: Duration?
    /// The time that the next attempt, or a cleanup, waits for the end of a stopped body.
    ///
    /// Afterwards the body is given up, and may still run beside the next one.
    public var grace: Duration = .seconds(5)
    /// The time after which a running body is reported by a `stalled` event; nil for never.
    public var watchdog: Duration?
    /// The number of attempts kept per task, for reports and pictures; 0 for none.
    ///
    /// Keeping attempts makes a run slower; without them, reports contain states and errors but no times. 8 is a
    /// reasonable number.
    public var keptAttempts = 0
    /// Whether tasks of a durable run continue before the results that they depend on are stored.
    ///
    /// A task is then Finished when its body has finished, and its result is stored soon after. If the process ends
    /// before, the task and everything downstream run again, even if an observer has seen the end.
    public var isRelaxed = false
    /// The faults to inject into this workflow's runs and those of its inner workflows; an empty list costs nothing.
    ///
    /// `check()` warns of faults that match nothing. Only a simulation can inject faults into the steps of pipelines.
    public var faults: [Fault] = []
    /// The clock of all waits and dates.
    public var clock: any StepClock = .system
    /// The executor of synchronous bodies without an operation queue; nil for the process's worker threads.
    public var executor: (any WorkExecutor)?
    /// The queue of observers and delegates; nil for the thread of the event.
    public var callbackQueue: DispatchQueue?

    /// The log of the events; nil for none.
    ///
    /// A failed task or run is logged as an error, a failed attempt as a warning, and the other events of tasks as
    /// verbose details.
    public var log: StepLog?

    /// Creates options without limits, on the system clock.
    public init() {}

    /// Creates options that differ from the defaults.
    ///
    /// - Parameters:
    ///   - onFailure: The effect of a failure on independent tasks.
    ///   - maximumConcurrency: The maximum number of live bodies; nil for no limit.
    ///   - requiresUniqueNames: Whether names must be unique.
    ///   - deadline: The time limit of a run; nil for no limit.
    ///   - grace: The time that the next attempt waits for the end of a stopped body.
    ///   - watchdog: The time after which a body is reported as stalled; nil for never.
    ///   - keptAttempts: The number of attempts kept per task; 0 for none.
    ///   - isRelaxed: Whether tasks continue before the results that they depend on are stored.
    ///   - faults: The faults to inject.
    ///   - clock: The clock of all waits and dates.
    ///   - executor: The executor of synchronous bodies; nil for the process's worker threads.
    ///   - callbackQueue: The queue of observers and delegates; nil for the thread of the event.
    ///   - log: The log of the events; nil for none.
    public init(
        onFailure: OnFailure = .finishOthers, maximumConcurrency: Int? = nil,
        requiresUniqueNames: Bool = false, deadline: Duration? = nil, grace: Duration = .seconds(5),
        watchdog: Duration? = nil, keptAttempts: Int = 0, isRelaxed: Bool = false,
        faults: [Fault] = [], clock: any StepClock = .system,
        executor: (any WorkExecutor)? = nil, callbackQueue: DispatchQueue? = nil,
        log: StepLog? = nil
    ) {
        self.onFailure = onFailure
        self.maximumConcurrency = maximumConcurrency
        self.requiresUniqueNames = requiresUniqueNames
        self.deadline = deadline
        self.grace = grace
        self.watchdog = watchdog
        self.keptAttempts = keptAttempts
        self.isRelaxed = isRelaxed
        self.faults = faults
        self.clock = clock
        self.executor = executor
        self.callbackQueue = callbackQueue
        self.log = log
    }
}
