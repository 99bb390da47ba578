import Foundation
import SteplineWorkflow

/// Makes of a run a new one that keeps all that doesn't follow from one step.
struct RunFork {
    let store: any RunStore
    let source: RunRecord
    let graph: RunGraph

    /// How many steps are written at once, with their results.
    private static let batch = 256

    /// Makes the run of that key; how many steps it keeps.
    func make(_ key: String, from step: String, at now: Date) throws -> Int {
        let id = RunID(source.id.workflow, key: key)
        guard try store.run(id) == nil else { throw RunsError("\(id) is there already") }
        let excluded = try excluded(from: step)
        let owner = RunOwner(since: now)
        let run = try store.open(id, input: source.input, as: owner, at: now)
        defer { run.close() }
        var changes: [StepChange] = []
        var count = 0
        try store.forEachStep(of: source.id) { record in
            guard record.state == .finished, record.name != step, !isExcluded(record.name, excluded) else {
                return
            }
            let data = record.resultSize == nil ? nil : try store.result(of: record.name, in: source.id)
            changes.append(
                StepChange(
                    .finished(data), of: record.name, attempt: 1, token: owner.token,
                    at: record.ended ?? now, began: record.began, version: record.version,
                    links: record.links))
            count += 1
            if changes.count >= Self.batch {
                _ = try run.write(changes)
                changes = []
            }
        }
        if !changes.isEmpty { _ = try run.write(changes) }
        return count
    }

    /// The steps that are run again.
    private struct Excluded {
        /// Those with all that is inside them.
        var whole: Set<Int> = []
        /// Those that are run again for something inside them, of which the rest stands.
        var around: Set<Int> = []

        func contains(_ place: Int) -> Bool { whole.contains(place) || around.contains(place) }
    }

    private func isExcluded(_ name: String, _ excluded: Excluded) -> Bool {
        if let place = graph.places[name] { return excluded.contains(Int(place)) }
        return graph.map(of: name).map(excluded.whole.contains) ?? false
    }

    /// All that follows from a step, itself included.
    private func excluded(from step: String) throws -> Excluded {
        var excluded = Excluded()
        if let place = graph.places[step] {
            excluded.whole.insert(Int(place))
        } else if let map = graph.map(of: step) {
            excluded.around.insert(map)
        } else {
            throw RunsError("\(source.id.workflow) has no step \(step)", isUsage: true)
        }
        // What is around a step follows from it, but stands before it in the graph: another round is needed then.
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
