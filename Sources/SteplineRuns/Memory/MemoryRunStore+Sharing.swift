package import Foundation
import SteplineSupport

extension MemoryRunStore: SharedRunStore {
    package func join(_ profile: WorkerProfile) throws -> any WorkerSeat {
        let now = self.now
        let number = board.withLock { $0.join(profile, at: now) }
        return MemorySeat(number: number, store: self)
    }

    package func workers(of workflow: String?) -> [WorkerRecord] {
        let now = self.now
        return board.withLock { $0.records(of: workflow, at: now) }
    }

    package func offers(of id: RunID) -> [OfferRecord] { board.withLock { $0.records(of: id) } }

    package func ownerless(of workflow: String) -> [RunRecord] {
        let left = leftToWorkers.withLock { $0 }
        return runs(of: workflow).filter { !$0.isOpen && $0.ending == nil && left.contains($0.id) }
    }

    package func steps(_ names: [String], of id: RunID) throws -> [(step: StepRecord, result: Data?)] {
        try inspect(id) { run in names.compactMap { run.steps[$0].map { ($0.record, $0.result) } } }
    }

    package func attempt(of step: String, in id: RunID) throws -> Int {
        try inspect(id) { $0.steps[step]?.record.attempt ?? 0 }
    }

    /// The uptime in seconds.
    ///
    /// Calls the user's clock: not allowed under a lock.
    var now: Double { clock.uptime.inSeconds }

    /// Changes the board under its lock, then notifies listeners after unlock.
    func changeBoard<Answer>(_ change: (inout OfferBoard) -> Answer) -> Answer {
        let answer = board.withLock { change(&$0) }
        tell(.ends)
        return answer
    }

    func tell(_ news: RunNews) {
        // Copy first: a listener may subscribe or cancel.
        let calls = listeners.withLock { Array($0.values) }
        for call in calls { call(news) }
    }

    func listen(_ call: @escaping @Sendable (RunNews) -> Void) -> Subscription {
        let id = UUID()
        listeners.withLock { $0[id] = call }
        return Subscription { [weak self] in self?.listeners.withLock { $0[id] = nil } }
    }
}

extension MemoryOpenRun: SharedRun {
    package func leave(toWorkers isLeft: Bool) throws {
        store.leftToWorkers.withLock { left in
            if isLeft { left.insert(record.id) } else { left.remove(record.id) }
        }
    }

    package func offers() throws -> [OfferRecord] { store.offers(of: record.id) }

    package func takeAway(_ steps: [String]?) throws {
        // Holding the store's lock keeps the ownership check valid during the change.
        try store.change(record) { _ in store.changeBoard { $0.takeAway(steps, of: record.id) } }
    }

    package func offer(_ offers: [StepOffer]) throws {
        try store.change(record) { _ in
            store.changeBoard { $0.offer(offers, of: record.id, number: 0) }
        }
    }

    package func withdraw(_ steps: [(step: String, attempt: Int)]) throws {
        _ = store.changeBoard { $0.withdraw(steps, of: record.id) }
    }

    package func ends(acknowledging heard: [HeardEnd]) throws -> [StepEnd] {
        store.board.withLock { $0.ends(of: record.id, acknowledging: heard) }
    }

    package func sweep() throws {
        let now = store.now
        _ = store.changeBoard { $0.sweep(at: now) }
    }

    package func onNews(_ call: @escaping @Sendable (RunNews) -> Void) -> Subscription { store.listen(call) }
}

/// A worker's registration at a memory store.
final class MemorySeat: WorkerSeat {
    let number: Int
    private let store: MemoryRunStore

    init(number: Int, store: MemoryRunStore) {
        self.number = number
        self.store = store
    }

    var lease: Duration { .seconds(store.board.withLock { $0.lease }) }

    func claim(_ count: Int, risky: Bool) throws -> [ClaimedStep] {
        // Read the clock before the lock.
        let (now, date) = (store.now, store.clock.now)
        return store.board.withLock { $0.claim(count, risky: risky, by: number, at: now, began: date) }
    }

    func end(_ steps: [WorkedStep]) throws -> [Int] {
        var refused: [Int] = []
        for (place, step) in steps.enumerated() where try !end(step) { refused.append(place) }
        return refused
    }

    private func end(_ step: WorkedStep) throws -> Bool {
        // Check first: a result must not be stored for a claim that is lost.
        guard store.board.withLock({ $0.holds(step.claim.id, number) }) else { return false }
        var outcome = step.outcome
        if let change = step.change(by: name) {
            // The step has a later attempt: end the claim so that the owner can offer again.
            guard try store.keep(change, of: step.claim.run) else {
                outcome = .stopped
                _ = store.changeBoard { $0.end(step.claim.id, outcome, by: number) }
                return false
            }
        }
        return store.changeBoard { $0.end(step.claim.id, outcome, by: number) }
    }

    private var name: String {
        store.workers(of: nil).first { $0.number == number }?.name ?? "#\(number)"
    }

    func handBack(_ claims: [Int]) throws {
        store.changeBoard { board in for claim in claims { board.handBack(claim, by: number) } }
    }

    func refuse(_ claim: ClaimedStep) throws { store.changeBoard { $0.refuse(claim.id, by: number) } }

    func beat(for lease: Duration) throws -> WorkerBeat? {
        let end = store.now + lease / .seconds(1)
        return store.board.withLock { $0.beat(number, until: end) }
    }

    func onNews(_ call: @escaping @Sendable () -> Void) -> Subscription { store.listen { _ in call() } }

    func leave() { store.changeBoard { $0.leave(number) } }
}
