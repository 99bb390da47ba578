import Foundation

/// The stored steps that a plan reads, with their results.
///
/// The run is open for the plan of a run, and only read for a plan that a user asks for. A run that isn't stored has no
/// steps.
struct StoredSteps {
    /// Whether an earlier process died during the run.
    let wasInterrupted: Bool
    let forEach: ((StepRecord) throws -> Void) throws -> Void
    /// Returns the names of steps whose results are known to be missing.
    let missing: () throws -> [String]
    /// Returns the result of a step; nil if it has none.
    let result: (String) throws -> Data?
    /// Returns the results of several steps, such as elements of a map.
    let results: ([String]) throws -> [Data?]

    /// Creates the steps of a run that this process has opened.
    init(of run: any OpenRun, in store: any RunStore) {
        let id = run.record.id
        // The record counts this opening already.
        wasInterrupted = run.record.openings > 1 && run.record.ending == nil
        forEach = { try run.forEachStep($0) }
        missing = { try store.missingResults(of: id) }
        result = { try run.result(of: $0) }
        results = { try store.results(of: $0, in: id) }
    }

    /// Creates the steps of a run that isn't opened; `record` is nil if the run isn't stored.
    init(of id: RunID, _ record: RunRecord?, in store: any RunStore) {
        wasInterrupted = record.map { $0.openings > 0 && $0.ending == nil } ?? false
        let isStored = record != nil
        forEach = { if isStored { try store.forEachStep(of: id, $0) } }
        missing = { isStored ? try store.missingResults(of: id) : [] }
        result = { try store.result(of: $0, in: id) }
        results = { try store.results(of: $0, in: id) }
    }
}
