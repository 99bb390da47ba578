import Foundation
import SteplineSupport

typealias StepQueue = OperationQueue

/// The interface by which a queue's operation calls the pipeline that put it there.
protocol QueuedWork: AnyObject, Sendable {
    /// Begins the attempt that waited for the step's queue.
    func runJob(on queue: StepQueue)
    /// Cancels the pipeline, because the queue of its current attempt was cancelled.
    func queueWasCancelled()
    /// Resumes the pipeline after the current step's dependencies have finished.
    func othersHaveEnded()
}

/// A pipeline's entry in a queue: a job in its step's queue, or a wait for other operations.
///
/// | State | Left by |
/// | --- | --- |
/// | new | `enqueue`, `wait`, `void` |
/// | issued (`pipeline` is set) | `take`, which calls the pipeline, or `void` |
/// | void | |
///
/// The ticket calls the pipeline at most once, from any thread. A queue can be suspended or busy for a long time. The
/// pipeline therefore voids its ticket when it ends, and the operation left in the queue retains nothing.
final class QueueTicket: Sendable {
    private struct State {
        var pipeline: (any QueuedWork)?
        /// The job that waits for operations that may never run.
        weak var wait: OthersJob?
        var isVoid = false
    }

    private let state = Locked(State())

    /// Puts the pipeline's next job in the queue: one that may run now and depends on nothing.
    func enqueue(_ pipeline: any QueuedWork, on queue: StepQueue) {
        guard issue(to: pipeline) else { return }
        queue.addOperation(QueueJob(self, queue))
    }

    /// Calls the pipeline when all these operations have finished.
    func wait(for others: [Operation], _ pipeline: any QueuedWork) {
        guard issue(to: pipeline) else { return }
        // The operation can finish, or `void` can be called, before `wait` is stored: check for both afterwards.
        let job = OthersJob.begin(self, waitingFor: others)
        let isVoid = state.withLock { state in
            state.wait = job
            return state.isVoid
        }
        if isVoid { job.callOff() }
    }

    /// Returns false if the ticket is void: a pipeline stored then would never be released.
    private func issue(to pipeline: any QueuedWork) -> Bool {
        state.withLock { state in
            if !state.isVoid { state.pipeline = pipeline }
            return !state.isVoid
        }
    }

    func void() {
        // Call off without the lock: this releases a queue and removes dependencies.
        _ = take()
        state.withLock { $0.wait }?.callOff()
    }

    fileprivate func take() -> (any QueuedWork)? {
        state.withLock { state in
            // Clear the reference, because the operation may stay in its queue.
            state.isVoid = true
            defer { state.pipeline = nil }
            return state.pipeline
        }
    }
}

/// The operation that begins a step's attempt in its queue.
///
/// If the queue cancels or drops the operation before it runs, the pipeline is cancelled. The lock protects `running`;
/// `queue` never changes.
private final class QueueJob: Operation, @unchecked Sendable {
    private let ticket: QueueTicket
    /// The step's queue; freed only if the step's options, which retain the queue, were replaced meanwhile.
    private weak var queue: StepQueue?
    private let running = Locked<(any QueuedWork)?>(nil)

    init(_ ticket: QueueTicket, _ queue: StepQueue) {
        self.ticket = ticket
        self.queue = queue
    }

    override func main() {
        guard let pipeline = ticket.take() else { return }
        // The queue was freed: there is no queue to run the step on.
        guard let queue else { return pipeline.queueWasCancelled() }
        running.withLock { $0 = pipeline }
        // A cancel between `take` and this line found neither the ticket's pipeline nor `running`.
        if isCancelled { pipeline.queueWasCancelled() }
        pipeline.runJob(on: queue)
        let done = running.withLock { running in
            defer { running = nil }
            return running
        }
        // Release the pipeline after unlock, because this may be the last reference.
        withExtendedLifetime(done) {}
    }

    override func cancel() {
        super.cancel()
        // Before `main` the ticket holds the pipeline; during the body `running` does.
        // `take` makes the operation a no-op, so `main` can't run the step after this line.
        (ticket.take() ?? running.withLock { $0 })?.queueWasCancelled()
    }

    // The queue dropped the operation without running it.
    deinit { ticket.take()?.queueWasCancelled() }
}

/// An operation that depends on the awaited operations, in a queue of its own.
///
/// A dependent must not be freed before its dependencies have run. The queue therefore retains this operation until
/// then, or until `callOff`.
private final class OthersJob: Operation, @unchecked Sendable {  // the lock protects `queue`
    private let ticket: QueueTicket
    private let queue = Locked<StepQueue?>(nil)

    private init(_ ticket: QueueTicket) { self.ticket = ticket }

    static func begin(_ ticket: QueueTicket, waitingFor others: [Operation]) -> OthersJob {
        let job = OthersJob(ticket)
        for other in others { job.addDependency(other) }
        // The operation and its queue retain each other until `leaveQueue`.
        let queue = StepQueue()
        job.queue.withLock { $0 = queue }
        queue.addOperation(job)
        return job
    }

    /// Removes the operation from its dependencies, which may never run, and from its queue.
    func callOff() {
        // Remove before cancelling: on Linux, a dependency removed afterwards would be counted twice.
        for other in dependencies { removeDependency(other) }
        cancel()
        leaveQueue()
    }

    override func main() {
        leaveQueue()
        ticket.take()?.othersHaveEnded()
    }

    private func leaveQueue() {
        // Release the queue after unlock: this may free the operation.
        let old = queue.withLock { queue in
            defer { queue = nil }
            return queue
        }
        withExtendedLifetime(old) {}
    }
}
