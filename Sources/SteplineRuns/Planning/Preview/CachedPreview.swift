import Foundation
import SteplineWorkflow

/// Finds the steps of a plan that would take results of other runs.
///
/// A result can be found only if all inputs are known before the run: stored results, and results that are taken
/// themselves. A step after a body that runs may still take a result, which the plan can't know.
struct CachedPreview {
    private let plan: RunPlan
    private let stored: StoredSteps
    private let cache: ResultCache
    private let id: RunID

    private var graph: RunGraph { plan.graph }

    init(_ plan: RunPlan, of stored: StoredSteps, in cache: ResultCache, of id: RunID) {
        self.plan = plan
        self.stored = stored
        self.cache = cache
        self.id = id
    }

    /// Returns the runs that have results for steps that start, and the steps whose inputs are unknown.
    func find(_ starts: ContiguousArray<Bool>) -> (found: [Int: RunID], unknown: Set<Int>) {
        let places = graph.steps.indices.filter { starts[$0] && graph.facts($0).isCached }
        var taken: [Int: (result: TakenResult, run: RunID)] = [:]
        var unknown: Set<Int> = []
        // Prerequisites come first, so that the results taken for them are known.
        for place in places {
            let step = graph.steps[place]
            let part = graph.parts[Int(step.part)]
            guard let inputs = inputs(of: place, taken) else {
                unknown.insert(place)
                continue
            }
            // A key inside a subworkflow includes the inputs of the tasks around the step.
            taken[place] = cache.find(part, Int(step.number), inputs, except: own(place)) { part, number in
                let outer = self.place(number, in: part).flatMap { self.inputs(of: $0, taken) }
                if outer == nil { unknown.insert(place) }
                return outer
            }
        }
        return (taken.mapValues(\.run), unknown)
    }

    /// This run's own result of a step that has finished: the run clears that result before the step starts.
    private func own(_ place: Int) -> (run: RunID, ended: Date)? {
        guard plan.found[place].state == .finished else { return nil }
        return (id, Date(timeIntervalSinceReferenceDate: plan.found[place].ended))
    }

    private func place(_ number: Int, in part: RunPart) -> Int? {
        graph.parts.firstIndex { $0 === part }.map { graph.ranges[$0].lowerBound + number }
    }

    /// Returns the inputs of a step; nil if one of them is unknown before the run.
    private func inputs(
        of place: Int, _ taken: [Int: (result: TakenResult, run: RunID)]
    ) -> TaskInputs? {
        let step = graph.steps[place]
        var results: [(number: Int, value: (any Sendable)?)] = []
        for link in step.links {
            let prerequisite = Int(graph.links[Int(link)].step)
            let number = Int(graph.steps[prerequisite].number)
            if let known = taken[prerequisite] {
                results.append((number, known.result.value))
            } else {
                // A prerequisite that runs has no known result before the run.
                guard plan.fates[prerequisite] == .finished, let value = value(of: prerequisite) else {
                    return nil
                }
                results.append((number, value))
            }
        }
        return graph.parts[Int(step.part)].workflow.inputs(of: Int(step.number), after: results)
    }

    /// Returns the stored result of a finished step; nil if it is unreadable or isn't a value.
    private func value(of place: Int) -> (any Sendable)?? {
        // The outer optional is nil for an unknown result, the inner one for a step without a result.
        if let value = plan.results[place] { return .some(value) }
        guard let codec = graph.facts(place).codec else {
            // Without a codec, only a task that declares no result is known. A subworkflow's value is its tasks.
            return graph.facts(place).canBeCompared && !graph.steps[place].isComposite ? .some(nil) : nil
        }
        guard plan.found[place].hasResult else { return codec.isNothing ? .some(()) : .some(nil) }
        guard let data = try? stored.result(graph.names[place]),
            let value = try? codec.value(of: data, stored.results)
        else { return nil }
        return .some(value)
    }
}
