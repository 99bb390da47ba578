import Foundation
import SteplineSupport
import SteplineWorkflow

/// The plan as changes for the store and as states for the workflows.
extension RunPlan {
    /// Returns the changes to write before anything runs: they clear steps that run again, and fail interrupted ones.
    func changes(token: UInt64, at now: Date) -> [StepChange] {
        clearedElements(token, now) + failedElements(token, now)
            + fates.indices.compactMap { place in
                let old = found[place]
                let facts = graph.facts(place)
                switch (fates[place], old.state) {
                // A stale result must not remain readable while the step runs again.
                case (.open, .finished), (.open, .failed), (.open, .cancelled), (.open, .waiting):
                    return StepChange(
                        .cleared, of: facts.name, attempt: Int(old.attempt), token: token, at: now,
                        version: facts.version, links: facts.links)
                case (.interruptedTooOften, _):
                    return StepChange(
                        .failed(tooOften(place)), of: facts.name, attempt: Int(old.attempt) + 1, token: token,
                        at: now, version: facts.version, links: facts.links,
                        interruptions: Int(old.interruptions))
                // A running step keeps its row: the next attempt replaces it.
                default: return nil
                }
            }
    }

    private func tooOften(_ place: Int) -> StepFailure {
        StepFailure(interrupted: Int(found[place].interruptions), graph.names[place])
    }

    /// Returns the stored states of one workflow's tasks.
    ///
    /// - Parameters:
    ///   - part: The index of the workflow.
    ///   - now: The current date.
    ///   - kept: The source of results that are read later, on demand.
    /// - Returns: A state for each task with a stored attempt.
    func restored(_ part: Int, now: Date, from kept: any ResultSource) -> [RestoredTask] {
        graph.steps.indices.compactMap { place in
            let step = graph.steps[place]
            guard Int(step.part) == part, found[place].attempt > 0 else { return nil }
            // `changes` fails such a step in a later attempt than the interrupted one.
            let extra = fates[place] == .interruptedTooOften ? 1 : 0
            // An interruption leaves a running row, or a pending one with the number of failures.
            let isInterrupted =
                found[place].state == .running || found[place].state == .pending && isSame(place)
            return RestoredTask(
                Int(step.number), state(place, now, kept), attempt: Int(found[place].attempt) + extra,
                // An attempt that is repeated by decision starts with a full retry budget. An interrupted one keeps its
                // count.
                failures: fates[place] == .open && !isInterrupted ? 0 : Int(found[place].failures),
                ended: Date(timeIntervalSinceReferenceDate: found[place].ended),
                pool: interruptions.pool(of: graph.names[place]))
        }
    }

    private func state(_ place: Int, _ now: Date, _ kept: any ResultSource) -> RestoredTask.State {
        switch fates[place] {
        case .open where isAwaiting(place):
            .awaiting(since: Date(timeIntervalSinceReferenceDate: found[place].ended))
        case .open, .blocked, .recomputed: .open
        case .cancelled: .cancelled
        case .finished: .finished(value(place, kept))
        case .failed: .failed(KeptFailure(rare[place]?.failure))
        case .interruptedTooOften: .failed(KeptFailure(tooOften(place)))
        case .waiting:
            .waiting(Self.rest(of: rare[place]?.wait ?? 0, until: rare[place]?.due, at: now))
        }
    }

    /// Returns the rest of a back-off: at most its full length, however the clock was set meanwhile.
    static func rest(of wait: Double, until due: Date?, at now: Date) -> Duration {
        .seconds(min(max(due?.timeIntervalSince(now) ?? 0, 0), wait))
    }

    private func value(_ place: Int, _ kept: any ResultSource) -> (any Sendable)? {
        // A subworkflow's result is its workflow, whose tasks are restored separately.
        if let inner = graph.subworkflows[Int32(place)] { return inner }
        if graph.facts(place).isRecomputed { return nil }
        // The plan had to read this result; other results are loaded on demand.
        if let value = results[place] { return value }
        if found[place].hasResult { return KeptResult(kept, place) }
        return graph.facts(place).codec?.isNothing == true ? () : nil
    }
}
