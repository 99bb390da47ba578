public import Foundation
import SteplineSupport

/// A store in memory, for tests and for runs that need not outlive their process.
public final class MemoryRunStore: RunStore {
    /// How errors and reports name it.
    public let name: String
    private let runs = Locked(MemoryRuns())

    /// An empty store.
    public init(name: String = "memory") { self.name = name }

    /// Becomes the owner of a run; see ``RunStore/open(_:input:as:at:)``.
    public func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        let record = try runs.withLock { runs in
            if let living = runs.livingOwner(of: id) {
                throw RunStoreError.inProgress(id, store: name, owner: living)
            }
            return runs.open(id, input: input, as: owner, at: now)
        }
        return MemoryOpenRun(record: record, store: self)
    }

    /// All runs, the newest first; those of one workflow if it is named.
    public func runs(of workflow: String?) -> [RunRecord] {
        runs.withLock { $0.records(of: workflow) }
    }

    /// One run; nil if there is none of that name.
    public func run(_ id: RunID) -> RunRecord? {
        runs.withLock { $0[id]?.record }
    }

    /// Hands out the steps of a run, by name, without their results.
    public func forEachStep(of id: RunID, _ body: (StepRecord) throws -> Void) throws {
        // The body is a user's: it runs outside the lock.
        let steps = try inspect(id) { $0.steps }
        for step in steps.values.sorted(by: { $0.record.name.precedes($1.record.name) }) {
            try body(step.record)
        }
    }

    /// One step of a run, without its result; nil if no step of that name is kept.
    public func step(_ name: String, of id: RunID) throws -> StepRecord? {
        try inspect(id) { $0.steps[name]?.record }
    }

    /// What steps of a run did before they were run again, the oldest first.
    public func history(of id: RunID) throws -> [StepRecord] {
        try inspect(id) { $0.history }
    }

    /// The result of a step; nil if it has none.
    public func result(of step: String, in id: RunID) throws -> Data? {
        try inspect(id) { $0.steps[step]?.result }
    }

    /// The step that has finished with that cache key; see ``RunStore/cachedStep(_:endedIn:)``.
    public func cachedStep(_ key: String, endedIn dates: ClosedRange<Date>) -> CachedStep? {
        runs.withLock { $0.step(cachedAs: key, endedIn: dates) }
    }

    /// Leaves word for the run; see ``RunStore/send(_:to:at:)``.
    public func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        try change(id) { $0.take(signal) }
    }

    /// Removes the word that a condition is fulfilled; false if there is none.
    public func withdraw(condition: String, of id: RunID) throws -> Bool {
        try change(id) { $0.withdraw(condition) }
    }

    /// Removes a run with all that is kept of it; false if there is none.
    public func forget(_ id: RunID) throws -> Bool {
        try runs.withLock { runs in
            if let living = runs.livingOwner(of: id) {
                throw RunStoreError.inProgress(id, store: name, owner: living)
            }
            return runs.forget { $0.record.id == id } > 0
        }
    }

    /// Removes all runs that have ended before that date; returns how many.
    public func forget(endedBefore date: Date) -> Int {
        runs.withLock { runs in
            runs.forget { run in
                guard run.record.ending != nil, let ended = run.record.ended else { return false }
                return ended < date && !run.record.isOpen
            }
        }
    }

    /// The signals that have come for a run.
    public func signals(of id: RunID) throws -> [RunSignal] { try inspect(id) { $0.signals } }

    func inspect<R>(_ id: RunID, _ body: (MemoryRun) -> R) throws -> R {
        try runs.withLock { runs in
            guard let run = runs[id] else { throw RunStoreError.noSuchRun(id, store: name) }
            return body(run)
        }
    }

    /// Some steps of a run, each with its result; those that aren't kept are left out.
    package func steps(_ names: [String], of id: RunID) throws -> [(step: StepRecord, result: Data?)] {
        try inspect(id) { run in names.compactMap { run.steps[$0].map { ($0.record, $0.result) } } }
    }

    /// Keeps the end of a step that a worker has run; false if its attempt counts no longer.
    package func keep(_ change: StepChange, of id: RunID) throws -> Bool {
        try self.change(id) { $0.take([change]).isEmpty }
    }

    private func change<R>(_ id: RunID, _ body: (inout MemoryRun) throws -> R) throws -> R {
        let result = try runs.withLock { try $0.change(id, body) }
        guard let result else { throw RunStoreError.noSuchRun(id, store: name) }
        return result
    }

    /// Changes a run for its owner.
    func change<R>(_ record: RunRecord, _ body: (inout MemoryRun) -> R) throws -> R {
        try change(record.id) { run in
            guard run.record.isOpen, run.record.owner.token == record.owner.token else {
                throw RunStoreError.ownershipLost(record.id, store: name)
            }
            return body(&run)
        }
    }
}

extension RunStore where Self == MemoryRunStore {
    /// A new, empty store in memory.
    public static func memory() -> MemoryRunStore { MemoryRunStore() }
}

extension String {
    /// The order of bytes, which databases keep as well; Swift's own is that of characters.
    fileprivate func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
