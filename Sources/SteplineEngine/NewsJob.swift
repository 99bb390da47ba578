import SteplineSupport

/// A worker job that performs an engine's news in order, until none is left.
///
/// Until the job ends, no other thread performs news of this engine, so the order is kept.
final class NewsJob<Face: EngineFace>: WorkerJob {
    /// The number of news after which other waiting jobs get the thread.
    private static var share: Int { 64 }

    private let face: Face

    init(_ face: Face) { self.face = face }

    func run(on worker: Worker) {
        let thread = currentThread()
        // Transactions that a callback starts on this thread leave their news to this loop.
        face.engine.state.withLock { $0.turn.telling(by: thread) }
        var notified = 0
        while let effect = face.engine.state.withLock({ $0.turn.nextNews() }) {
            // Count each callback as a body: the watch then detects a callback that blocks.
            worker.beginBody()
            face.perform(effect)
            notified += 1
            // `isTelling` stays true in the queue, so no sender starts a second loop.
            if worker.mayChange(after: notified, of: Self.share) { return Workers.shared.enqueue(self) }
        }
    }
}
