import Foundation
import SteplineSupport

typealias StepQueue = OperationQueue

/// A job that a pipeline has put in an operation queue.
///
/// The queue may be suspended for good, or busy for long: once the pipeline has ended, its ticket is void, and
/// the job that stays behind in the queue holds nothing.
final class QueueTicket: Sendable {
    private let pipeline = Locked<Pipeline?>(nil)

    /// Puts the pipeline's next job in the queue: one that may run now and depends on nothing.
    func enqueue(_ pipeline: Pipeline, on queue: StepQueue) {
        self.pipeline.withLock { $0 = pipeline }
        queue.addOperation { [self] in
            take()?.runJob(on: queue)
        }
    }

    func void() { _ = take() }

    private func take() -> Pipeline? {
        pipeline.withLock { pipeline in
            defer { pipeline = nil }
            return pipeline
        }
    }
}
