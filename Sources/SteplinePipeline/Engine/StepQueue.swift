import Foundation
import SteplineSupport

typealias StepQueue = OperationQueue

/// What a pipeline has put in a queue to be called by: a job in its step's queue, or a wait for other operations.
///
/// It calls the pipeline once or never. The queue may be suspended for good, or busy for long: once the pipeline has
/// ended its ticket is void, and what stays behind in the queue holds nothing.
final class QueueTicket: Sendable {
    private struct State {
        var pipeline: AnyPipeline?
        /// What waits for operations that may never run.
        weak var wait: OthersJob?
        var isVoid = false
    }

    private let state = Locked(State())

    /// Puts the pipeline's next job in the queue: one that may run now and depends on nothing.
    func enqueue(_ pipeline: AnyPipeline, on queue: StepQueue) {
        guard issue(to: pipeline) else { return }
        queue.addOperation(QueueJob(self, queue))
    }

    /// Calls the pipeline when all these operations have finished.
    func wait(for others: [Operation], _ pipeline: AnyPipeline) {
        guard issue(to: pipeline) else { return }
        let job = OthersJob.begin(self, waitingFor: others)
        let isVoid = state.withLock { state in
            state.wait = job
            return state.isVoid
        }
        if isVoid { job.callOff() }
    }

    /// It may have been voided on the way here: then nobody would ever take the pipeline out again.
    private func issue(to pipeline: AnyPipeline) -> Bool {
        state.withLock { state in
            if !state.isVoid { state.pipeline = pipeline }
            return !state.isVoid
        }
    }

    func void() {
        _ = take()
        state.withLock { $0.wait }?.callOff()
    }

    fileprivate func take() -> AnyPipeline? {
        state.withLock { state in
            state.isVoid = true
            defer { state.pipeline = nil }
            return state.pipeline
        }
    }
}

/// The job that begins a step's attempt in its queue.
///
/// If the queue cancels it, or drops it without having run it, the pipeline hears of that.
private final class QueueJob: Operation, @unchecked Sendable {  // `running` is behind a lock
    private let ticket: QueueTicket
    private weak let queue: StepQueue?
    private let running = Locked<AnyPipeline?>(nil)

    init(_ ticket: QueueTicket, _ queue: StepQueue) {
        self.ticket = ticket
        self.queue = queue
    }

    override func main() {
        guard let pipeline = ticket.take() else { return }
        guard let queue else { return pipeline.queueWasCancelled() }
        running.withLock { $0 = pipeline }
        // A cancel in between has found neither.
        if isCancelled { pipeline.queueWasCancelled() }
        pipeline.runJob(on: queue)
        let done = running.withLock { running in
            defer { running = nil }
            return running
        }
        withExtendedLifetime(done) {}
    }

    override func cancel() {
        super.cancel()
        (ticket.take() ?? running.withLock { $0 })?.queueWasCancelled()
    }

    deinit { ticket.take()?.queueWasCancelled() }
}

/// Waits for operations as an operation that depends on them, in a queue of its own.
///
/// What operations have among their dependents must not be freed before these have run, so this one stays until then, or
/// until it is called off.
private final class OthersJob: Operation, @unchecked Sendable {  // `queue` is behind a lock
    private let ticket: QueueTicket
    private let queue = Locked<StepQueue?>(nil)

    private init(_ ticket: QueueTicket) { self.ticket = ticket }

    static func begin(_ ticket: QueueTicket, waitingFor others: [Operation]) -> OthersJob {
        let job = OthersJob(ticket)
        for other in others { job.addDependency(other) }
        let queue = StepQueue()
        job.queue.withLock { $0 = queue }
        queue.addOperation(job)
        return job
    }

    /// Nobody waits any more: what it depends on, which may never run, is not to know it, nor it to stay in its queue.
    func callOff() {
        // Before it is cancelled: on Linux what was removed afterwards would be counted twice.
        for other in dependencies { removeDependency(other) }
        cancel()
        leaveQueue()
    }

    override func main() {
        leaveQueue()
        ticket.take()?.othersHaveEnded()
    }

    private func leaveQueue() {
        let old = queue.withLock { queue in
            defer { queue = nil }
            return queue
        }
        withExtendedLifetime(old) {}
    }
}
