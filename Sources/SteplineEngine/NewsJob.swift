import SteplineSupport

/// A worker job that performs an engine's news in order, until none is left.
///
/// Until the job ends, no other thread performs news of this engine, so the order is kept. The loop is a closure, and
/// not a method of a generic class, because the compiler specializes only the former for its engine.
final class NewsJob: WorkerJob {
    private let perform: @Sendable (Worker) -> Bool

    /// Creates a job that calls `perform` until it returns false.
    init(_ perform: @escaping @Sendable (Worker) -> Bool) { self.perform = perform }

    func run(on worker: Worker) {
        if perform(worker) { Workers.shared.enqueue(self) }
    }
}

extension Workers {
    /// Enqueues a job that calls `perform` until it returns false.
    @usableFromInline
    func enqueueNews(_ perform: @escaping @Sendable (Worker) -> Bool) { enqueue(NewsJob(perform)) }
}
