import SteplineSupport

/// Tells an engine's news on a worker, in order, until none is left.
///
/// Between its creation and its end no other thread tells, so the order of the news holds.
final class NewsJob<Face: EngineFace>: WorkerJob {
    /// After how many news it lets other work that waits for a thread come first.
    private static var share: Int { 64 }

    private let face: Face

    init(_ face: Face) { self.face = face }

    func run(on worker: Worker) {
        let thread = currentThread()
        face.engine.state.withLock { $0.turn.telling(by: thread) }
        var told = 0
        while let effect = face.engine.state.withLock({ $0.turn.nextNews() }) {
            // Each callback counts as a body, so that one that blocks is found.
            worker.beginBody()
            face.perform(effect)
            told += 1
            if worker.mayChange(after: told, of: Self.share) { return Workers.shared.enqueue(self) }
        }
    }
}
