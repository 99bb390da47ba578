/// The consequences of a reactor's positive answer.
public struct ReactorConfiguration: Sendable, Equatable {
    /// The time limit of a run; tasks that wait for the run fail at the limit.
    ///
    /// The time counts from the first positive answer, also while the run waits for the body of the previous run.
    public var timeout: Duration?
    /// Whether the task runs again after the run.
    public var requeuesTask: Bool
    /// Whether no task begins during the run, apart from tasks that the run itself adds.
    public var suspendsTaskQueue: Bool
    /// Whether a requeued task is intercepted again, in its original form.
    public var reinterceptsOnRequeue: Bool
    /// Whether a task without a requeue ends only after the run.
    public var delaysCompletion: Bool
    /// The maximum number of requeues per task; nil for no limit.
    public var maximumRequeues: Int?
    /// The back-off of a requeued task after the run.
    public var backoff: Backoff

    /// Creates a configuration; by default a run doesn't affect the tasks.
    ///
    /// - Parameters:
    ///   - timeout: The time limit of a run; nil for no limit.
    ///   - requeuesTask: Whether the task runs again after the run.
    ///   - suspendsTaskQueue: Whether no task begins during the run.
    ///   - reinterceptsOnRequeue: Whether a requeued task is intercepted again, in its original form.
    ///   - delaysCompletion: Whether a task without a requeue ends only after the run.
    ///   - maximumRequeues: The maximum number of requeues per task; nil for no limit.
    ///   - backoff: The back-off of a requeued task after the run.
    public init(
        timeout: Duration? = nil, requeuesTask: Bool = false, suspendsTaskQueue: Bool = false,
        reinterceptsOnRequeue: Bool = false, delaysCompletion: Bool = false, maximumRequeues: Int? = 3,
        backoff: Backoff = .none
    ) {
        self.timeout = timeout
        self.requeuesTask = requeuesTask
        self.suspendsTaskQueue = suspendsTaskQueue
        self.reinterceptsOnRequeue = reinterceptsOnRequeue
        self.delaysCompletion = delaysCompletion
        self.maximumRequeues = maximumRequeues
        self.backoff = backoff
    }
}
