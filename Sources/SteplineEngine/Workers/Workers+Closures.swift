extension Workers {
    /// Adds a closure as a job behind all that wait; returns at once.
    package func perform(_ work: @escaping @Sendable (Worker) -> Void) { enqueue(ClosureJob(work)) }
}

private final class ClosureJob: WorkerJob {
    private let work: @Sendable (Worker) -> Void

    init(_ work: @escaping @Sendable (Worker) -> Void) { self.work = work }

    func run(on worker: Worker) { work(worker) }
}
