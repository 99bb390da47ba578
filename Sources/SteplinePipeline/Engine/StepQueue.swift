import Foundation
import SteplineSupport

typealias StepQueue = OperationQueue

/// A job that a pipeline has put in an operation queue.
///
/// The queue may be suspended for good, or busy for long: once the pipeline has ended, its ticket is void, and
/// the job that stays behind in the queue holds nothing.
final class QueueTicket: Sendable {
    private struct State {
        var pipeline: Pipeline?
        var isVoid = false
    }

    private let state = Locked(State())

    /// Puts the pipeline's next job in the queue: one that may run now and depends on nothing.
    func enqueue(_ pipeline: Pipeline, on queue: StepQueue) {
        // It may have been voided on the way here: then nobody would ever take the pipeline out again.
        let isWanted = state.withLock { state in
            if !state.isVoid { state.pipeline = pipeline }
            return !state.isVoid
        }
        guard isWanted else { return }
        queue.addOperation { [self] in
            take()?.runJob(on: queue)
        }
    }

    func void() { _ = take() }

    private func take() -> Pipeline? {
        state.withLock { state in
            state.isVoid = true
            defer { state.pipeline = nil }
            return state.pipeline
        }
    }
}
