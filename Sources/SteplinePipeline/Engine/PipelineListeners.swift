import SteplineEngine
import SteplineSupport

/// Who is to hear of a pipeline's end: callbacks, observers of many pipelines, and Swift tasks that wait.
struct PipelineListeners {
    private var callbacks = Callbacks<PipelineEnd>()
    /// The callbacks of observers of many pipelines, by their numbers.
    private var observers: [UInt64: PipelineObserver.Core] = [:]
    private var waiters: [OutcomeWaiter] = []
    /// Whether callbacks that were due at the end are being called: who waits for the end waits for these too.
    private var isTelling = false
    private var runnerCount: UInt32 = 0

    // MARK: Callbacks

    /// Registers a callback, and returns the number by which it can be removed.
    mutating func add(
        _ registration: Callbacks<PipelineEnd>.Registration, of observer: PipelineObserver.Core? = nil
    ) -> UInt64 {
        let number = callbacks.add(registration)
        if let observer { observers[number] = observer }
        return number
    }

    /// All who are registered, in order, with the observers that some belong to.
    var registered: [(Callbacks<PipelineEnd>.Registration, observer: PipelineObserver.Core?)] {
        callbacks.registrations.map { ($0, observers[$0.number]) }
    }

    /// Takes callbacks away, due ones too; true if nobody is left by that who wants the result.
    mutating func remove(
        _ turn: inout PipelineTurn, where isMeant: (Callbacks<PipelineEnd>.Registration) -> Bool
    ) -> Bool {
        let wasWanted = callbacks.wants(.success)
        callbacks.remove(&turn, where: isMeant)
        if !observers.isEmpty {
            let left = Set(callbacks.registrations.map(\.number))
            for (number, observer) in observers where !left.contains(number) {
                turn.letGo(of: observer)
                observers[number] = nil
            }
        }
        return wasWanted && runnerCount == 0 && !callbacks.wants(.success)
    }

    /// The pipeline was cancelled: only those who wait for any end are to hear of it.
    mutating func dropResults(_ turn: inout PipelineTurn) {
        callbacks.remove(&turn) { $0.kind != .end }
    }

    /// Takes back the callbacks for the result that haven't begun and wait for the queue that this thread is on.
    mutating func dropResultsDueHere(_ turn: inout PipelineTurn) {
        guard !callbacks.isEmpty else { return }
        callbacks.remove(&turn) { $0.kind != .end && $0.place.isHere }
    }

    /// Claims the next callback of a delivery: from here on it counts as begun.
    mutating func claim(_ delivery: UInt64) -> Callbacks<PipelineEnd>.Registration? {
        callbacks.claim(delivery)
    }

    // MARK: The end

    /// The end has come: all who want it are told, and then those who wait are resumed.
    mutating func end(with outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        let deliveries = callbacks.end(outcome.kind, &turn)
        for observer in observers.values { turn.letGo(of: observer) }
        observers = [:]
        guard !deliveries.isEmpty else { return resume(with: outcome, &turn) }
        isTelling = true
        for delivery in deliveries { turn.tell(.deliver(delivery, outcome)) }
        turn.tell(.endIsTold)
    }

    /// Somebody has registered after the end, and is told on the thread that did, or behind others of the same queue.
    mutating func tellLate(of outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        for delivery in callbacks.end(outcome.kind, &turn) { turn.order(.deliver(delivery, outcome)) }
        for observer in observers.values { turn.letGo(of: observer) }
        observers = [:]
    }

    /// All have been told who could be told without a queue of their own.
    mutating func endIsTold(_ outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        isTelling = false
        resume(with: outcome, &turn)
    }

    private mutating func resume(with outcome: Outcome<Content>, _ turn: inout PipelineTurn) {
        for waiter in waiters {
            waiter.outcome = outcome
            turn.wake(waiter)
        }
        waiters = []
    }

    // MARK: Waiting

    /// Lets a task wait; `outcome` is that of a pipeline that has ended.
    mutating func add(
        _ waiter: OutcomeWaiter, outcome: Outcome<Content>?, _ turn: inout PipelineTurn
    ) {
        waiters.append(waiter)
        if let outcome, !isTelling { resume(with: outcome, &turn) }
    }

    /// A call of `run()` waits for the end, which keeps the pipeline wanted.
    mutating func runnerCame() { runnerCount += 1 }

    mutating func runnerLeft() { runnerCount -= 1 }
}

/// A Swift task that waits for the end.
// The outcome is set under the lock, before it is woken.
final class OutcomeWaiter: Waiter, @unchecked Sendable {
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
