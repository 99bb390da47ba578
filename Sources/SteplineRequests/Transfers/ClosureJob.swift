import SteplineSupport

/// A closure as a job of the shared executor.
final class ClosureJob: ExecutorJob {
    private let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    func runJob() { work() }
}
