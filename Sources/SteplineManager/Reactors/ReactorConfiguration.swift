/// What a reactor's yes brings with it.
public struct ReactorConfiguration: Sendable, Equatable {
    /// How long a run may take; those who wait for it fail then.
    public var timeout: Duration?
    /// Whether the task runs again after the run.
    public var requeuesTask: Bool
    /// Whether no task begins while it runs.
    public var suspendsTaskQueue: Bool
    /// Whether a requeued task passes the interceptors again, starting from the task as it was added.
    public var reinterceptsOnRequeue: Bool
    /// Whether a task that isn't requeued completes only after the run.
    public var delaysCompletion: Bool
    /// How often it requeues one task at most; nil: without end.
    public var maximumRequeues: Int?
    /// How long a requeued task waits after the run.
    public var backoff: Backoff

    /// Makes a configuration; by default a run changes nothing for the tasks.
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
