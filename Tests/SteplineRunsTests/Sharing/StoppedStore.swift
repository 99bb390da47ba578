import Dispatch
import SteplineRunsTesting
import SteplineSupport

@testable import SteplineRuns

/// A store that no heartbeat reaches while its workers are stopped, as if their process were.
final class StoppedStore: ForwardingSharedStore {
    let shared: any SharedRunStore
    private let isStopped = Locked(false)
    private let proceeds = DispatchSemaphore(value: 0)

    init(_ store: any SharedRunStore) { shared = store }

    /// Blocks all heartbeats from here on.
    func stop() { isStopped.withLock { $0 = true } }

    /// Lets all heartbeats through.
    func proceed() {
        isStopped.withLock { $0 = false }
        proceeds.signal()
    }

    func join(_ profile: WorkerProfile) throws -> any WorkerSeat {
        StoppedSeat(try shared.join(profile), in: self)
    }

    fileprivate func waitUntilProceeding() {
        guard isStopped.withLock({ $0 }) else { return }
        proceeds.wait()
        proceeds.signal()
    }
}

private final class StoppedSeat: WorkerSeat {
    private let seat: any WorkerSeat
    private let store: StoppedStore

    init(_ seat: any WorkerSeat, in store: StoppedStore) {
        self.seat = seat
        self.store = store
    }

    var number: Int { seat.number }
    var lease: Duration { seat.lease }

    func beat(for lease: Duration) throws -> WorkerBeat? {
        store.waitUntilProceeding()
        return try seat.beat(for: lease)
    }

    func claim(_ count: Int, risky: Bool) throws -> [ClaimedStep] { try seat.claim(count, risky: risky) }
    func end(_ steps: [WorkedStep]) throws -> [Int] { try seat.end(steps) }
    func handBack(_ claims: [Int]) throws { try seat.handBack(claims) }
    func refuse(_ claim: ClaimedStep) throws { try seat.refuse(claim) }
    func onNews(_ call: @escaping @Sendable () -> Void) -> Subscription { seat.onNews(call) }
    func leave() { seat.leave() }
}
