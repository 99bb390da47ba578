import SteplineEngine

/// A closure as a job of the workers.
final class ClosureJob: WorkerJob {
    private let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    func run(on worker: Worker) { work() }
}
