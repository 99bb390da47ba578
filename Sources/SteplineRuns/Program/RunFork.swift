import Foundation
import SteplineWorkflow

/// Creates a new run from an old one, with all results that don't depend on a given step.
struct RunFork {
    let store: any RunStore
    let source: RunRecord
    let graph: RunGraph

    /// The largest number of steps written at once with their results.
    private static let batch = 256

    /// Creates the run; returns the number of copied steps.
    func make(_ key: String, from step: String, at now: Date) throws -> Int {
        let id = RunID(source.id.workflow, key: key)
        guard try store.run(id) == nil else { throw RunsError("\(id) already exists") }
        let excluded = try excluded(from: step)
        let owner = RunOwner(since: now)
        let run = try store.open(id, input: source.input, as: owner, at: now)
        // Without an ending: the new run is interrupted, ready to be resumed.
        defer { run.close() }
        // Another process may have created the run since the check: its results must not be mixed with the copies.
        guard run.record.openings == 1, run.record.created == now else {
            throw RunsError("\(id) already exists")
        }
        do {
            return try copy(to: run, token: owner.token, from: step, excluding: excluded, at: now)
        } catch {
            // Half a run must not be resumed.
            run.close()
            _ = try? store.forget(id)
            throw error
        }
    }

    /// Writes the finished steps into the new run; returns their number.
    private func copy(
        to run: any OpenRun, token: UInt64, from step: String, excluding excluded: Excluded, at now: Date
    ) throws -> Int {
        var changes: [StepChange] = []
        var (count, bytes) = (0, 0)
        try store.forEachStep(of: source.id) { record in
            guard record.state == .finished, record.name != step, !isExcluded(record.name, excluded) else {
                return
            }
            let data = try result(of: record)
            // The step runs again: its result is damaged, or it was reset since its record was read.
            if data == nil, record.resultSize != nil { return }
            let size = data?.count ?? 0
            if changes.count == Self.batch || bytes > 0 && bytes + size > WaitingChanges.mostBytes {
                _ = try run.write(changes)
                (changes, bytes) = ([], 0)
            }
            // Attempt 1 of a new run, with the dates of the original.
            changes.append(
                StepChange(
                    .finished(data), of: record.name, attempt: 1, token: token,
                    at: record.ended ?? now, began: record.began, version: record.version,
                    links: record.links))
            count += 1
            bytes += size
        }
        if !changes.isEmpty { _ = try run.write(changes) }
        return count
    }

    /// Returns the result of a finished step; nil if it has none or can't be read any more.
    private func result(of record: StepRecord) throws -> Data? {
        guard record.resultSize != nil else { return nil }
        do { return try store.result(of: record.name, in: source.id) } catch let error as RunStoreError
            where error.code == .resultDamaged
        { return nil }
    }

    /// The steps that run again.
    private struct Excluded {
        /// Steps that run again with everything inside them.
        var whole: Set<Int> = []
        /// Steps that run again because of a step inside them, whose other inner steps are copied.
        var around: Set<Int> = []

        func contains(_ place: Int) -> Bool { whole.contains(place) || around.contains(place) }
    }

    private func isExcluded(_ name: String, _ excluded: Excluded) -> Bool {
        if let place = graph.places[name] { return excluded.contains(Int(place)) }
        // An element of a map: copied unless the whole map runs again.
        return graph.map(of: name).map(excluded.whole.contains) ?? false
    }

    /// Returns the step and all its direct and indirect dependents.
    private func excluded(from step: String) throws -> Excluded {
        var excluded = Excluded()
        if let place = graph.places[step] {
            excluded.whole.insert(Int(place))
        } else if let map = graph.map(of: step) {
            // An element isn't in the graph: run its map again and copy the other elements.
            excluded.around.insert(map)
        } else {
            throw RunsError("\(source.id.workflow) has no step \(step)", isUsage: true)
        }
        // An outer task depends on its inner steps but precedes them in the graph: repeat until nothing changes.
        var count = 0
        while count != excluded.whole.count + excluded.around.count {
            count = excluded.whole.count + excluded.around.count
            for place in graph.steps.indices { take(place, &excluded) }
        }
        return excluded
    }

    private func take(_ place: Int, _ excluded: inout Excluded) {
        let step = graph.steps[place]
        let around = Int(step.around)
        let follows = step.links.contains { excluded.contains(Int(graph.links[Int($0)].step)) }
        if follows || excluded.whole.contains(around) { excluded.whole.insert(place) }
        if around >= 0, excluded.contains(place), !excluded.whole.contains(around) {
            excluded.around.insert(around)
        }
    }
}
