package import Foundation
package import SteplineRuns
import SteplineRunsTesting
package import SteplineSupport

/// A store in memory whose runs the workers of this process share, as those of machines share a server's.
package final class SharedMemoryStore: ForwardingRunStore, SharedRunStore {
    package let memory: MemoryRunStore
    package let board: Locked<OfferBoard>
    /// The clock of workers' leases.
    package let clock: any StepClock
    fileprivate let leftToWorkers = Locked(Set<RunID>())
    private let listeners = Locked([UUID: @Sendable (RunNews) -> Void]())

    /// An empty store in which a worker's lease has this length by this clock.
    package init(
        name: String = "memory", lease: Duration = .seconds(15), clock: any StepClock = .system
    ) {
        memory = MemoryRunStore(name: name)
        self.clock = clock
        board = Locked(OfferBoard(lease: lease / .seconds(1)))
    }

    package var store: any RunStore { memory }

    package func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        SharedMemoryRun(try memory.open(id, input: input, as: owner, at: now), in: self)
    }

    package func create(_ id: RunID, input: Data?, by creator: RunOwner, at now: Date) -> Bool {
        let isNew = memory.create(id, input: input, by: creator, at: now)
        if isNew { _ = leftToWorkers.withLock { $0.insert(id) } }
        return isNew
    }

    package func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        let isFirst = try memory.send(signal, to: id, at: now)
        tell(.signal)
        return isFirst
    }

    package func forget(_ id: RunID) throws -> Bool {
        let isForgotten = try memory.forget(id)
        board.withLock { $0.forget(id) }
        return isForgotten
    }

    package func join(_ profile: WorkerProfile) throws -> any WorkerMembership {
        let now = self.now
        let number = board.withLock { $0.join(profile, at: now) }
        return MemoryMembership(number: number, profile, in: self)
    }

    package func workers(of workflow: String?) -> [WorkerRecord] {
        let now = self.now
        return board.withLock { $0.records(of: workflow, at: now) }
    }

    package func offers(of id: RunID) -> [OfferRecord] { board.withLock { $0.records(of: id) } }

    package func ownerless(of workflow: String) -> [RunRecord] {
        runsLeftToWorkers(of: workflow).filter { !$0.isOpen }
    }

    fileprivate func runsLeftToWorkers(of workflow: String) -> [RunRecord] {
        let left = leftToWorkers.withLock { $0 }
        if left.isEmpty { return [] }
        return memory.runs(of: workflow).filter { $0.ending == nil && left.contains($0.id) }
    }

    package func steps(_ names: [String], of id: RunID) throws -> [(step: StepRecord, result: Data?)] {
        try memory.steps(names, of: id)
    }

    package func attempt(of step: String, in id: RunID) throws -> Int {
        try memory.step(step, of: id)?.attempt ?? 0
    }

    /// The uptime in seconds.
    ///
    /// Reads the clock, so it must not be called under a lock.
    package var now: Double { clock.uptime / .seconds(1) }

    /// Changes the board, and notifies the listeners.
    package func changeBoard<Answer>(_ change: (inout OfferBoard) -> Answer) -> Answer {
        let answer = board.withLock { change(&$0) }
        tell(.ends)
        return answer
    }

    /// Notifies the listeners.
    package func tell(_ news: RunNews) {
        let calls = listeners.withLock { Array($0.values) }
        for call in calls { call(news) }
    }

    fileprivate func listen(_ call: @escaping @Sendable (RunNews) -> Void) -> Subscription {
        let id = UUID()
        listeners.withLock { $0[id] = call }
        return Subscription { [weak self] in self?.listeners.withLock { $0[id] = nil } }
    }
}

/// A run of a shared store in memory in the hands of its owner.
private final class SharedMemoryRun: ForwardingOpenRun, SharedRun {
    let run: any OpenRun
    private let store: SharedMemoryStore

    init(_ run: any OpenRun, in store: SharedMemoryStore) {
        self.run = run
        self.store = store
    }

    func end(_ ending: RunEnding, at now: Date) throws {
        try run.end(ending, at: now)
        store.changeBoard { $0.forget(record.id) }
    }

    func leave(toWorkers isLeft: Bool) throws {
        store.leftToWorkers.withLock { left in
            if isLeft { left.insert(record.id) } else { left.remove(record.id) }
        }
    }

    func offers() throws -> [OfferRecord] { store.offers(of: record.id) }

    func takeAway(_ steps: [String]?) throws {
        try expectOwned()
        store.changeBoard { $0.takeAway(steps, of: record.id) }
    }

    func offer(_ offers: [StepOffer]) throws {
        try expectOwned()
        try store.memory.reopen(record.id)
        store.changeBoard { $0.offer(offers, of: record.id, number: 0) }
    }

    // A write of nothing is refused like any other.
    private func expectOwned() throws { _ = try run.write([]) }

    func withdraw(_ steps: [(step: String, attempt: Int)]) throws {
        _ = store.changeBoard { $0.withdraw(steps, of: record.id) }
    }

    func ends(acknowledging acknowledged: [AcknowledgedEnd]) throws -> [StepEnd] {
        store.board.withLock { $0.ends(of: record.id, acknowledging: acknowledged) }
    }

    func sweep() throws {
        let now = store.now
        _ = store.changeBoard { $0.sweep(at: now) }
    }

    func onNews(_ call: @escaping @Sendable (RunNews) -> Void) -> Subscription { store.listen(call) }
}

/// A worker's hold on a store in memory.
private final class MemoryMembership: WorkerMembership {
    let number: Int
    private let profile: WorkerProfile
    private let store: SharedMemoryStore

    init(number: Int, _ profile: WorkerProfile, in store: SharedMemoryStore) {
        self.number = number
        self.profile = profile
        self.store = store
    }

    var lease: Duration { .seconds(store.board.withLock { $0.lease }) }

    func claim(_ count: Int, risky: Bool) throws -> [ClaimedStep] {
        let (now, date) = (store.now, store.clock.now)
        return store.board.withLock { $0.claim(count, risky: risky, by: number, at: now, began: date) }
    }

    func end(_ steps: [WorkedStep]) throws -> [Int] {
        var refused: [Int] = []
        for (place, step) in steps.enumerated() where try !end(step) { refused.append(place) }
        return refused
    }

    private func end(_ step: WorkedStep) throws -> Bool {
        guard store.board.withLock({ $0.holds(step.claim.id, number) }) else { return false }
        if let change = step.change(by: WorkerRecord.name(profile, number)),
            try !store.memory.keep(change, of: step.claim.run)
        {
            _ = store.changeBoard { $0.end(step.claim.id, .stopped, by: number) }
            return false
        }
        return store.changeBoard { $0.end(step.claim.id, step.outcome, by: number) }
    }

    func handBack(_ claims: [Int]) throws {
        store.changeBoard { board in for claim in claims { board.handBack(claim, by: number) } }
    }

    func refuse(_ claim: ClaimedStep) throws { store.changeBoard { $0.refuse(claim.id, by: number) } }

    func accept(_ claim: ClaimedStep) throws { store.board.withLock { $0.accept(claim, by: number) } }

    func beat(for lease: Duration) throws -> WorkerBeat? {
        let end = store.now + lease / .seconds(1)
        var beat = store.board.withLock { $0.beat(number, until: end) }
        beat?.areRunsLeft = !store.runsLeftToWorkers(of: profile.workflow).isEmpty
        return beat
    }

    func onNews(_ call: @escaping @Sendable () -> Void) -> Subscription { store.listen { _ in call() } }

    func leave() { store.changeBoard { $0.leave(number) } }
}
