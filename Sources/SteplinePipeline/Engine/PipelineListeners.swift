import SteplineEngine
import SteplineSupport

/// The listeners of a pipeline's end: callbacks, and Swift tasks that wait.
///
/// A part of the machine, used under its lock. At the end all callbacks without a queue are called first; then the
/// waiters are resumed.
struct PipelineListeners {
    private var callbacks = Callbacks<PipelineEnd>()
    private var waiters: [OutcomeWaiter] = []
    /// Whether callbacks that were due at the end are being called; waiters are resumed after them.
    private(set) var isNotifying = false
    private var runnerCount: UInt32 = 0

    // MARK: Callbacks

    /// Registers a callback, and returns the number by which it can be removed.
    mutating func add(_ registration: Callbacks<PipelineEnd>.Registration) -> UInt64 {
        callbacks.add(registration)
    }

    /// All registered callbacks, in order.
    var registered: [Callbacks<PipelineEnd>.Registration] { callbacks.registrations }

    /// Removes callbacks, due ones too; true if that leaves nothing that wants the result.
    mutating func remove(
        _ turn: inout PipelineTurn, where isMeant: (Callbacks<PipelineEnd>.Registration) -> Bool
    ) -> Bool {
        // The removal must be the cause: a pipeline that had no success callback isn't cancelled.
        let wasNeeded = callbacks.wants(.success)
        callbacks.remove(&turn, where: isMeant)
        return wasNeeded && runnerCount == 0 && !callbacks.wants(.success)
    }

    /// The pipeline was cancelled: only callbacks for any end stay.
    mutating func dropResults(_ turn: inout PipelineTurn) {
        callbacks.remove(&turn) { $0.kind != .end }
    }

    /// Removes the callbacks for the result that haven't begun and wait for the queue that this thread is on.
    mutating func dropResultsDueHere(_ turn: inout PipelineTurn) {
        guard !callbacks.isEmpty else { return }
        // A delivery on this queue hasn't begun the callback, because this queue runs the current code.
        callbacks.remove(&turn) { $0.kind != .end && $0.place.isHere }
    }

    /// Claims the next callback of a delivery, after which the callback can't be removed.
    mutating func claim(_ delivery: UInt64) -> Callbacks<PipelineEnd>.Registration? {
        callbacks.claim(delivery)
    }

    // MARK: The end

    /// The end has come: notifies the callbacks, and then resumes the waiters.
    mutating func end(with outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        let deliveries = callbacks.end(outcome.kind, &turn)
        // Lines of the log that aren't written yet also precede the end of `run()`.
        guard !deliveries.isEmpty || turn.hasPendingNews else { return resume(with: outcome, &turn) }
        isNotifying = true
        for delivery in deliveries { turn.tell(.deliver(delivery, outcome)) }
        // News are performed in order: callbacks without a queue have returned before this effect.
        turn.tell(.endWasReported)
    }

    /// A callback was registered after the end: notifies it on the registering thread, or behind others of its queue.
    mutating func tellLate(of outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        // An order, not news: the registering thread performs it before the registration returns.
        for delivery in callbacks.end(outcome.kind, &turn) { turn.order(.deliver(delivery, outcome)) }
    }

    /// All callbacks without a queue of their own have returned.
    mutating func endWasReported(_ outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        isNotifying = false
        resume(with: outcome, &turn)
    }

    private mutating func resume(with outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        // The outcome is stored under the lock, before the waiter wakes.
        for waiter in waiters {
            waiter.outcome = outcome
            turn.wake(waiter)
        }
        waiters = []
    }

    // MARK: Waiting

    /// Adds a waiter; `outcome` is that of a pipeline that has ended.
    mutating func add(_ waiter: OutcomeWaiter, outcome: Outcome<Content>?, _ turn: inout PipelineTurn) {
        waiters.append(waiter)
        // While callbacks run, `endWasReported` resumes this waiter together with the others.
        if let outcome, !isNotifying { resume(with: outcome, &turn) }
    }

    /// Records a waiting `run()`, which counts as a listener for the result.
    mutating func runnerCame() { runnerCount += 1 }

    mutating func runnerLeft() { runnerCount -= 1 }
}

/// A Swift task that waits for the end.
final class OutcomeWaiter: Waiter, @unchecked Sendable {
    // The lock of the machine protects `outcome`, which is set before the waiter wakes.
    private let continuation: CheckedContinuation<Outcome<Content>, Never>
    fileprivate var outcome: Outcome<Content>?

    init(_ continuation: CheckedContinuation<Outcome<Content>, Never>) { self.continuation = continuation }

    func wake() {
        guard let outcome else { return }
        continuation.resume(returning: outcome)
    }
}

extension Outcome<Content> {
    fileprivate var kind: Callbacks<PipelineEnd>.Kind {
        switch self {
        case .success: .success
        case .failure: .failure
        // Success and failure callbacks have other kinds, so only those for any end are called.
        case .cancelled: .end
        }
    }
}
