import Foundation
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport

/// A store in memory that does one thing wrong.
final class FaultyStore: ForwardingRunStore {
    enum Fault: String, CaseIterable, Sendable {
        case losesAWrite, takesStaleAttempts, hasTwoOwners, neverGivesUp, cutsLargeResults, losesTheInput
        case listsOldestFirst, losesHistory, cancelsOnce, takesSecondWords, forgetsLiveRuns,
            writesWhenClosed
        case showsEveryRunEnded, countsNoFailures, handsOutUnsorted, findsWhatIsTooOld
    }

    let fault: Fault
    let store: any RunStore = MemoryRunStore(name: "faulty")
    fileprivate let writes = Locked(0)

    init(_ fault: Fault) { self.fault = fault }

    func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        let input = fault == .losesTheInput ? nil : input
        do {
            return FaultyRun(try store.open(id, input: input, as: owner, at: now), self)
        } catch let error as RunStoreError where error.code == .inProgress && fault == .hasTwoOwners {
            return FaultyRun(try MemoryRunStore().open(id, input: input, as: owner, at: now), self)
        }
    }

    func runs(of workflow: String?) throws -> [RunRecord] {
        let runs = try store.runs(of: workflow).map(seen)
        return fault == .listsOldestFirst ? runs.reversed() : runs
    }

    func run(_ id: RunID) throws -> RunRecord? { try store.run(id).map(seen) }

    private func seen(_ run: RunRecord) -> RunRecord {
        var run = run
        if fault == .countsNoFailures { run.failed = 0 }
        if fault == .showsEveryRunEnded { run.ending = run.ending ?? .finished }
        return run
    }

    func forEachStep(of id: RunID, _ body: (StepRecord) throws -> Void) throws {
        var steps: [StepRecord] = []
        try store.forEachStep(of: id) { steps.append($0) }
        for step in fault == .handsOutUnsorted ? steps.reversed() : steps { try body(step) }
    }

    func history(of id: RunID) throws -> [StepRecord] {
        let history = try store.history(of: id)
        return fault == .losesHistory ? [] : history
    }

    func result(of step: String, in id: RunID) throws -> Data? {
        let result = try store.result(of: step, in: id)
        return fault == .cutsLargeResults ? result?.prefix(65_536) : result
    }

    func cachedStep(_ key: String, endedIn dates: ClosedRange<Date>) throws -> CachedStep? {
        let isBlind = fault == .findsWhatIsTooOld
        return try store.cachedStep(
            key, endedIn: (isBlind ? .distantPast : dates.lowerBound)...dates.upperBound)
    }

    func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        let isFirst = try store.send(signal, to: id, at: now)
        return fault == .takesSecondWords || isFirst
    }

    func signals(of id: RunID) throws -> [RunSignal] {
        let signals = try store.signals(of: id)
        guard fault == .cancelsOnce else { return signals }
        return signals.filter { if case .cancel = $0 { false } else { true } }
    }

    func forget(endedBefore date: Date, of workflow: String?) throws -> Int {
        guard fault == .forgetsLiveRuns else { return try store.forget(endedBefore: date, of: workflow) }
        return try store.runs(of: nil).count { try !$0.isOpen && store.forget($0.id) }
    }
}

private final class FaultyRun: ForwardingOpenRun {
    let run: any OpenRun
    private let store: FaultyStore

    init(_ run: any OpenRun, _ store: FaultyStore) {
        self.run = run
        self.store = store
    }

    func forEachStep(_ body: (StepRecord) throws -> Void) throws {
        try store.forEachStep(of: record.id, body)
    }
    func result(of step: String) throws -> Data? { try store.result(of: step, in: record.id) }

    func write(_ changes: [StepChange]) throws -> [Int] {
        let number = store.writes.withLock { writes in
            writes += 1
            return writes
        }
        switch store.fault {
        case .losesAWrite where number == 2: return []
        case .writesWhenClosed: return (try? run.write(changes)) ?? []
        case .takesStaleAttempts:
            let refused = try run.write(changes)
            for place in refused {
                var change = changes[place]
                let latest = try store.latestAttempt(of: change.step, in: record.id)
                change.attempt = latest + 1
                _ = try run.write([change])
            }
            return []
        default: return try run.write(changes)
        }
    }

    func close() { if store.fault != .neverGivesUp { run.close() } }
}

extension FaultyStore {
    fileprivate func latestAttempt(of step: String, in id: RunID) throws -> Int {
        var attempt = 0
        try forEachStep(of: id) { if $0.name == step { attempt = $0.attempt } }
        return attempt
    }
}
