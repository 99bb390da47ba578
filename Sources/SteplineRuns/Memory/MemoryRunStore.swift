public import Foundation
import SteplineSupport

/// A store in memory, for tests and for runs that need not survive their process.
///
/// Two locks: `runs` protects all runs, `board` the offers for workers. Where both are held, `runs` is locked first.
/// User code (bodies, clocks, listeners) runs outside both.
public final class MemoryRunStore: RunStore {
    /// The name in errors and reports.
    public let name: String
    /// The age from which ended runs are removed.
    public let retention: Duration?
    private let runs = Locked(MemoryRuns())

    /// An empty store.
    public init(name: String = "memory", retention: Duration? = nil) {
        (self.name, self.retention) = (name, retention)
    }

    /// Opens a run; see ``RunStore/open(_:input:as:at:)``.
    ///
    /// - Throws: A ``RunStoreError`` with the code `inProgress` while another owner is alive.
    public func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        let record = try runs.withLock { runs in
            if let living = runs.livingOwner(of: id) {
                throw RunStoreError.inProgress(id, store: name, owner: living)
            }
            return runs.open(id, input: input, as: owner, at: now)
        }
        return MemoryOpenRun(record: record, store: self)
    }

    /// Creates a run for another owner to open; returns false if it exists.
    public func create(_ id: RunID, input: Data?, by creator: RunOwner, at now: Date) -> Bool {
        runs.withLock { $0.create(id, input: input, by: creator, at: now) }
    }

    /// Returns all runs, newest first, optionally of one workflow only.
    public func runs(of workflow: String?) -> [RunRecord] {
        runs.withLock { $0.records(of: workflow) }
    }

    /// Returns one run; nil if it doesn't exist.
    public func run(_ id: RunID) -> RunRecord? {
        runs.withLock { $0[id]?.record }
    }

    /// Calls `body` for each step of a run, sorted by UTF-8 bytes of the names, without results.
    ///
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun` if the run doesn't exist, or the error of `body`.
    public func forEachStep(of id: RunID, _ body: (StepRecord) throws -> Void) throws {
        // `body` is user code: call it outside the lock.
        let steps = try inspect(id) { $0.steps }
        for step in steps.values.sorted(by: { $0.record.name.precedes($1.record.name) }) {
            try body(step.record)
        }
    }

    /// Returns one step without its result; nil if it isn't stored.
    ///
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun` if the run doesn't exist.
    public func step(_ name: String, of id: RunID) throws -> StepRecord? {
        try inspect(id) { $0.steps[name]?.record }
    }

    /// Returns the replaced attempts of a run's steps, oldest first.
    ///
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun` if the run doesn't exist.
    public func history(of id: RunID) throws -> [StepRecord] {
        try inspect(id) { $0.history }
    }

    /// Returns the result of a step; nil if it has none.
    ///
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun` if the run doesn't exist.
    public func result(of step: String, in id: RunID) throws -> Data? {
        try inspect(id) { $0.steps[step]?.result }
    }

    /// Returns a finished step with that cache key; see ``RunStore/cachedStep(_:endedIn:)``.
    public func cachedStep(_ key: String, endedIn dates: ClosedRange<Date>) -> CachedStep? {
        runs.withLock { $0.step(cachedAs: key, endedIn: dates) }
    }

    /// Stores a signal for the run; see ``RunStore/send(_:to:at:)``.
    ///
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun` if the run doesn't exist.
    public func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        try change(id) { $0.take(signal) }
    }

    /// Removes the signal of a condition; returns false if there is none.
    ///
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun` if the run doesn't exist.
    public func withdraw(condition: String, of id: RunID) throws -> Bool {
        try change(id) { $0.withdraw(condition) }
    }

    /// Removes a run and all its data; returns false if it doesn't exist.
    ///
    /// - Throws: A ``RunStoreError`` with the code `inProgress` if the run has a living owner.
    public func forget(_ id: RunID) throws -> Bool {
        try runs.withLock { runs in
            if let living = runs.livingOwner(of: id) {
                throw RunStoreError.inProgress(id, store: name, owner: living)
            }
            // Under the same lock as the check: no thread can open the run in between.
            return runs.forget { $0.record.id == id } > 0
        }
    }

    /// Removes all runs that ended before a date, optionally of one workflow only; returns their number.
    public func forget(endedBefore date: Date, of workflow: String?) -> Int {
        runs.withLock { runs in
            runs.forget { run in
                guard run.record.ending != nil, let ended = run.record.ended,
                    workflow ?? run.record.id.workflow == run.record.id.workflow
                else { return false }
                // A resumed run keeps its ending until the first change, so the owner must be checked too.
                return ended < date && !run.record.isOpen
            }
        }
    }

    /// The signals that have come for a run.
    ///
    /// - Throws: A ``RunStoreError`` with the code `noSuchRun` if the run doesn't exist.
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

    /// Removes the ending of a run.
    package func reopen(_ id: RunID) throws {
        try change(id) { run in
            run.record.ending = nil
            run.record.ended = nil
        }
    }

    private func change<R>(_ id: RunID, _ body: (inout MemoryRun) throws -> R) throws -> R {
        let result = try runs.withLock { try $0.change(id, body) }
        guard let result else { throw RunStoreError.noSuchRun(id, store: name) }
        return result
    }

    /// Changes a run on behalf of its owner; throws if the ownership is lost.
    func change<R>(_ record: RunRecord, _ body: (inout MemoryRun) -> R) throws -> R {
        try change(record.id) { run in
            // A later owner in the same process has another token.
            guard run.record.isOpen, run.record.owner.token == record.owner.token else {
                throw RunStoreError.ownershipLost(record.id, store: name)
            }
            return body(&run)
        }
    }
}

extension RunStore where Self == MemoryRunStore {
    /// Creates an empty store in memory.
    ///
    /// - Parameter retention: The age from which ended runs are removed; nil to keep them.
    public static func memory(retention: Duration? = nil) -> MemoryRunStore {
        MemoryRunStore(retention: retention)
    }
}

extension String {
    /// Compares UTF-8 bytes, the order of databases; Swift's own order compares characters.
    fileprivate func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
