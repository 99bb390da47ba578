package import Foundation
package import SteplineRuns

/// A store that forwards all calls it doesn't implement to another store.
package protocol ForwardingRunStore: RunStore {
    var store: any RunStore { get }
}

extension ForwardingRunStore {
    package var name: String { store.name }
    package var retention: Duration? { store.retention }
    package func create(_ id: RunID, input: Data?, by creator: RunOwner, at now: Date) throws -> Bool {
        try store.create(id, input: input, by: creator, at: now)
    }
    package func runs(of workflow: String?) throws -> [RunRecord] { try store.runs(of: workflow) }
    package func run(_ id: RunID) throws -> RunRecord? { try store.run(id) }
    package func forEachStep(of id: RunID, _ body: (StepRecord) throws -> Void) throws {
        try store.forEachStep(of: id, body)
    }
    package func step(_ name: String, of id: RunID) throws -> StepRecord? { try store.step(name, of: id) }
    package func history(of id: RunID) throws -> [StepRecord] { try store.history(of: id) }
    package func result(of step: String, in id: RunID) throws -> Data? { try store.result(of: step, in: id) }
    package func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        try store.send(signal, to: id, at: now)
    }
    package func withdraw(condition: String, of id: RunID) throws -> Bool {
        try store.withdraw(condition: condition, of: id)
    }
    package func missingResults(of id: RunID) throws -> [String] { try store.missingResults(of: id) }
    package func cachedStep(_ key: String, endedIn dates: ClosedRange<Date>) throws -> CachedStep? {
        try store.cachedStep(key, endedIn: dates)
    }
    package func signals(of id: RunID) throws -> [RunSignal] { try store.signals(of: id) }
    package func changeMark() throws -> Int? { try store.changeMark() }
    package func forget(_ id: RunID) throws -> Bool { try store.forget(id) }
    package func forget(endedBefore date: Date, of workflow: String?) throws -> Int {
        try store.forget(endedBefore: date, of: workflow)
    }
}

/// A shared store that forwards all calls it doesn't implement to another store.
package protocol ForwardingSharedStore: ForwardingRunStore, SharedRunStore {
    var shared: any SharedRunStore { get }
}

extension ForwardingSharedStore {
    package var store: any RunStore { shared }
    package func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        try shared.open(id, input: input, as: owner, at: now)
    }
    package func join(_ profile: WorkerProfile) throws -> any WorkerMembership { try shared.join(profile) }
    package func workers(of workflow: String?) throws -> [WorkerRecord] { try shared.workers(of: workflow) }
    package func offers(of id: RunID) throws -> [OfferRecord] { try shared.offers(of: id) }
    package func ownerless(of workflow: String) throws -> [RunRecord] { try shared.ownerless(of: workflow) }
    package func attempt(of step: String, in id: RunID) throws -> Int {
        try shared.attempt(of: step, in: id)
    }
    package func steps(_ names: [String], of id: RunID) throws -> [(step: StepRecord, result: Data?)] {
        try shared.steps(names, of: id)
    }
}

/// An open run that forwards all calls it doesn't implement to another one.
package protocol ForwardingOpenRun: OpenRun {
    var run: any OpenRun { get }
}

extension ForwardingOpenRun {
    package var record: RunRecord { run.record }
    package func forEachStep(_ body: (StepRecord) throws -> Void) throws { try run.forEachStep(body) }
    package func result(of step: String) throws -> Data? { try run.result(of: step) }
    package func write(_ changes: [StepChange]) throws -> [Int] { try run.write(changes) }
    package func end(_ ending: RunEnding, at now: Date) throws { try run.end(ending, at: now) }
    package func close() { run.close() }
}
