package import Foundation
package import SteplineRuns
import SteplineSupport
package import SteplineTesting

/// A store that fails from a numbered write on, as if the process had been killed there.
///
/// It forwards all calls to another store. After the cut every write throws ``CutOff``. The other store then contains
/// what a killed process would leave.
package final class CuttingStore: ForwardingRunStore {
    /// The position of the cut: before or after the write with that number, counted from 1.
    package enum Cut: Equatable {
        case never
        case before(Int)
        case after(Int)
    }

    package struct CutOff: Error {}

    private let end: @Sendable () -> Void

    /// A log of the writes that reached the other store: `size1 finished`.
    package let kept = Recorder<String>()

    package let store: any RunStore
    private let cut: Cut
    private let state: Locked<(writes: Int, isCut: Bool, sparing: Set<String>)>

    /// Creates a store with a cut, which waits until the steps in `sparing` have finished.
    package init(
        _ store: any RunStore, _ cut: Cut = .never, sparing: Set<String> = [],
        end: @escaping @Sendable () -> Void = {}
    ) {
        self.store = store
        self.cut = cut
        self.end = end
        state = Locked((writes: 0, isCut: false, sparing: sparing))
    }

    package var writes: Int { state.withLock { $0.writes } }
    package var isCut: Bool { state.withLock { $0.isCut } }

    /// Counts and runs a write, or throws ``CutOff`` at and after the cut.
    fileprivate func write<Answer>(_ body: () throws -> Answer) throws -> Answer {
        let number = try state.withLock { state in
            // Decide under the lock, so that concurrent writes get different numbers.
            guard !state.isCut else { throw CutOff() }
            state.writes += 1
            if case .before(let first) = cut, state.writes >= first, state.sparing.isEmpty {
                state.isCut = true
            }
            return state.writes
        }
        if isCut {
            end()
            throw CutOff()
        }
        let answer = try body()
        if case .after(let last) = cut, number >= last, state.withLock({ $0.sparing.isEmpty }) {
            state.withLock { $0.isCut = true }
            end()
            throw CutOff()
        }
        return answer
    }

    /// Records writes that are kept.
    fileprivate func keep(_ changes: [StepChange]) {
        for change in changes { kept.record("\(change.step) \("\(change.kind)".prefix { $0 != "(" })") }
        let finished = changes.filter { if case .finished = $0.kind { true } else { false } }
        state.withLock { $0.sparing.subtract(finished.map(\.step)) }
    }

    package func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        let run = try store.open(id, input: input, as: owner, at: now)
        kept.record("opened")
        return (run as? any SharedRun).map { CuttingSharedRun(self, $0) } ?? CuttingRun(self, run)
    }

    package func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        try write { try store.send(signal, to: id, at: now) }
    }
}

private final class CuttingRun: ForwardingOpenRun {
    private let store: CuttingStore
    let run: any OpenRun

    init(_ store: CuttingStore, _ run: any OpenRun) {
        self.store = store
        self.run = run
    }

    func write(_ changes: [StepChange]) throws -> [Int] {
        if changes.isEmpty { return [] }
        return try store.write {
            let refused = try run.write(changes)
            store.keep(changes.indices.filter { !refused.contains($0) }.map { changes[$0] })
            return refused
        }
    }

    func end(_ ending: RunEnding, at now: Date) throws { try store.write { try run.end(ending, at: now) } }
}

/// A run by workers whose owner is also cut off when it offers steps or acknowledges ends.
private final class CuttingSharedRun: ForwardingOpenRun, SharedRun {
    private let store: CuttingStore
    private let shared: any SharedRun
    let run: any OpenRun

    init(_ store: CuttingStore, _ run: any SharedRun) {
        self.store = store
        shared = run
        self.run = CuttingRun(store, run)
    }

    func leave(toWorkers isLeft: Bool) throws { try shared.leave(toWorkers: isLeft) }
    func takeAway(_ steps: [String]?) throws { try shared.takeAway(steps) }

    func offers() throws -> [OfferRecord] { try shared.offers() }

    func offer(_ offers: [StepOffer]) throws { try store.write { try shared.offer(offers) } }

    func withdraw(_ steps: [(step: String, attempt: Int)]) throws {
        try store.write { try shared.withdraw(steps) }
    }

    func ends(acknowledging acknowledged: [AcknowledgedEnd]) throws -> [StepEnd] {
        if acknowledged.isEmpty { return try shared.ends(acknowledging: []) }
        return try store.write { try shared.ends(acknowledging: acknowledged) }
    }

    func sweep() throws { try shared.sweep() }

    func onNews(_ call: @escaping @Sendable (RunNews) -> Void) -> Subscription { shared.onNews(call) }
}

extension RunStore {
    /// Returns the steps of a run by name; empty if the run doesn't exist yet.
    package func stepsByName(of id: RunID) throws -> [String: StepRecord] {
        guard try run(id) != nil else { return [:] }
        var steps: [String: StepRecord] = [:]
        try forEachStep(of: id) { steps[$0.name] = $0 }
        return steps
    }
}
