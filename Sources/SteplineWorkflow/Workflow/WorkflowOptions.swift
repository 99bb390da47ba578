public import Dispatch
public import SteplineSupport

/// How a workflow runs its tasks.
public struct WorkflowOptions: Sendable {
    /// What happens to the others when a task fails for good.
    public enum OnFailure: Sendable, Hashable {
        /// What doesn't depend on it goes on.
        case finishOthers
        /// Everything that has not ended is cancelled.
        case cancelOthers
    }

    /// What a failure means for tasks that don't depend on the failed one.
    public var onFailure = OnFailure.finishOthers
    /// How many bodies may be live at a time, waiting `async` ones included; nil for no bound.
    ///
    /// A subworkflow isn't a body: what is inside has a bound of its own, and elements of a map have this one.
    public var maximumConcurrency: Int?
    /// Whether a name may be given to one task only.
    public var requiresUniqueNames = false
    /// How long a run may take before what has not ended is cancelled; nil for as long as it likes.
    public var deadline: Duration?
    /// How long the next attempt waits for a stopped body to end, before it is given up.
    public var grace: Duration = .seconds(5)
    /// After how long a body that has not ended is told about by a `stalled` event; nil for never.
    public var watchdog: Duration?
    /// How many attempts of each task are kept for reports and pictures, the last ones; 0 for none.
    ///
    /// With it the run costs more; without it, reports know states and errors, but no times. 8 is a good number.
    public var keptAttempts = 0
    /// Whether tasks of a durable run go on before what they follow is kept.
    ///
    /// With it a task is Finished when its body is, and its result is kept soon after. What was not kept when the process
    /// ends is run again, and so is all that followed from it, even if somebody has heard of its end.
    public var isRelaxed = false
    /// What goes wrong on purpose in this workflow's runs, as in a simulation, and in those of workflows inside; none costs
    /// nothing.
    ///
    /// Of those that the workflow has nothing for, `check()` warns; steps of its pipelines are reached by a simulation's alone.
    public var faults: [Fault] = []
    /// The clock that all waiting and all dates go by.
    public var clock: any StepClock = .system
    /// Where synchronous bodies run that have no operation queue; nil for the worker threads of the process.
    public var executor: (any WorkExecutor)?
    /// Where observers and delegates are called; nil for the thread of the event.
    public var callbackQueue: DispatchQueue?

    /// The positions of the tasks around this workflow, where it runs inside another.
    var path: [Int] = []

    /// Makes options that bound nothing, on the system's clock.
    public init() {}

    /// Makes options that differ from the defaults.
    public init(
        onFailure: OnFailure = .finishOthers, maximumConcurrency: Int? = nil,
        requiresUniqueNames: Bool = false, deadline: Duration? = nil, grace: Duration = .seconds(5),
        watchdog: Duration? = nil, keptAttempts: Int = 0, isRelaxed: Bool = false,
        faults: [Fault] = [], clock: any StepClock = .system,
        executor: (any WorkExecutor)? = nil, callbackQueue: DispatchQueue? = nil
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
    }
}
