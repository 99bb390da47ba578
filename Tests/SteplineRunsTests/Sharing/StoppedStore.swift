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

    func join(_ profile: WorkerProfile) throws -> any WorkerMembership {
        StoppedMembership(try shared.join(profile), in: self)
    }

    fileprivate func waitUntilProceeding() {
        guard isStopped.withLock({ $0 }) else { return }
        proceeds.wait()
        proceeds.signal()
    }
}

private final class StoppedMembership: WorkerMembership {
    private let membership: any WorkerMembership
    private let store: StoppedStore

    init(_ membership: any WorkerMembership, in store: StoppedStore) {
        self.membership = membership
        self.store = store
    }

    var number: Int { membership.number }
    var lease: Duration { membership.lease }

    func beat(for lease: Duration) throws -> WorkerBeat? {
        store.waitUntilProceeding()
        return try membership.beat(for: lease)
    }

    func claim(_ count: Int, risky: Bool) throws -> [ClaimedStep] {
        try membership.claim(count, risky: risky)
    }
    func end(_ steps: [WorkedStep]) throws -> [Int] { try membership.end(steps) }
    func handBack(_ claims: [Int]) throws { try membership.handBack(claims) }
    func refuse(_ claim: ClaimedStep) throws { try membership.refuse(claim) }
    func accept(_ claim: ClaimedStep) throws { try membership.accept(claim) }
    func onNews(_ call: @escaping @Sendable () -> Void) -> Subscription { membership.onNews(call) }
    func leave() { membership.leave() }
}
