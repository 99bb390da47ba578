import SteplineEngine
import SteplineSupport

/// The listeners of a pipeline's end: callbacks, observers of many pipelines, and waiting Swift tasks.
///
/// The machine owns this value and uses it under its lock. At the end the callbacks are called first. The waiters
/// resume after all callbacks without a queue have returned (`isTelling`).
struct PipelineListeners {
    private var callbacks = Callbacks<PipelineEnd>()
    /// The observers of many pipelines, by the number of their callback.
    private var observers: [UInt64: PipelineObserver.Core] = [:]
    private var waiters: [OutcomeWaiter] = []
    /// Whether callbacks for the end are being called; waiters resume afterwards.
    private var isTelling = false
    private var runnerCount: UInt32 = 0

    // MARK: Callbacks

    /// Registers a callback and returns the number that removes it.
    mutating func add(
        _ registration: Callbacks<PipelineEnd>.Registration, of observer: PipelineObserver.Core? = nil
    ) -> UInt64 {
        let number = callbacks.add(registration)
        if let observer { observers[number] = observer }
        return number
    }

    /// All registered callbacks in order, with the observer of each callback that has one.
    var registered: [(Callbacks<PipelineEnd>.Registration, observer: PipelineObserver.Core?)] {
        callbacks.registrations.map { ($0, observers[$0.number]) }
    }

    /// Removes callbacks, including due ones; returns true if no listener for the result is left.
    mutating func remove(
        _ turn: inout PipelineTurn, where isMeant: (Callbacks<PipelineEnd>.Registration) -> Bool
    ) -> Bool {
        let wasWanted = callbacks.wants(.success)
        callbacks.remove(&turn, where: isMeant)
        // Release the observers of removed callbacks: an observer retains the pipelines that it watches.
        if !observers.isEmpty {
            let left = Set(callbacks.registrations.map(\.number))
            for (number, observer) in observers where !left.contains(number) {
                turn.letGo(of: observer)
                observers[number] = nil
            }
        }
        // Cancel only if this call removed the last success callback and no `run()` waits.
        return wasWanted && runnerCount == 0 && !callbacks.wants(.success)
    }

    /// Removes the success and failure callbacks of a cancelled pipeline.
    mutating func dropResults(_ turn: inout PipelineTurn) {
        callbacks.remove(&turn) { $0.kind != .end }
    }

    /// Removes the callbacks for the result that are due on the current queue and not yet claimed.
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

    /// Delivers the end to the callbacks, then resumes the waiters.
    mutating func end(with outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        let deliveries = callbacks.end(outcome.kind, &turn)
        for observer in observers.values { turn.letGo(of: observer) }
        observers = [:]
        // Without callbacks nothing precedes the waiters.
        guard !deliveries.isEmpty else { return resume(with: outcome, &turn) }
        isTelling = true
        // News are performed in order, so `endIsTold` follows the last callback that runs without a queue.
        for delivery in deliveries { turn.tell(.deliver(delivery, outcome)) }
        turn.tell(.endIsTold)
    }

    /// Delivers the end to a callback that was registered after it, on this thread or after others of the same queue.
    mutating func tellLate(of outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        for delivery in callbacks.end(outcome.kind, &turn) { turn.order(.deliver(delivery, outcome)) }
        for observer in observers.values { turn.letGo(of: observer) }
        observers = [:]
    }

    /// Resumes the waiters after the callbacks without a queue have returned.
    mutating func endIsTold(_ outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        isTelling = false
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

    /// Adds a waiting task; `outcome` is set if the pipeline has ended.
    mutating func add(
        _ waiter: OutcomeWaiter, outcome: Outcome<Content>?, _ turn: inout PipelineTurn
    ) {
        waiters.append(waiter)
        // While callbacks run, the waiter stays in the list until `endIsTold`.
        if let outcome, !isTelling { resume(with: outcome, &turn) }
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
        case .cancelled: .end
        }
    }
}
