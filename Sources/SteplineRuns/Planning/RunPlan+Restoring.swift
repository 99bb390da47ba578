import Foundation
import SteplineSupport
import SteplineWorkflow

/// What the store and the workflows are told of a plan.
extension RunPlan {
    /// What the store must know before anything is run: what doesn't stand counts no longer.
    func changes(token: UInt64, at now: Date) -> [StepChange] {
        clearedElements(token, now) + failedElements(token, now)
            + fates.indices.compactMap { place in
                let old = found[place]
                let facts = graph.facts(place)
                switch (fates[place], old.state) {
                case (.open, .finished), (.open, .failed), (.open, .cancelled), (.open, .waiting):
                    return StepChange(
                        .cleared, of: facts.name, attempt: Int(old.attempt), token: token, at: now,
                        version: facts.version, links: facts.links)
                case (.interruptedTooOften, _):
                    return StepChange(
                        .failed(tooOften(place)), of: facts.name, attempt: Int(old.attempt) + 1, token: token,
                        at: now, version: facts.version, links: facts.links,
                        interruptions: Int(old.interruptions))
                default: return nil
                }
            }
    }

    private func tooOften(_ place: Int) -> StepFailure {
        StepFailure(interrupted: Int(found[place].interruptions), graph.names[place])
    }

    /// How the tasks of one workflow are to stand; `kept` is where results lie that nobody needs yet.
    func restored(_ part: Int, now: Date, from kept: any ResultSource) -> [RestoredTask] {
        graph.steps.indices.compactMap { place in
            let step = graph.steps[place]
            guard Int(step.part) == part, found[place].attempt > 0 else { return nil }
            let extra = fates[place] == .interruptedTooOften ? 1 : 0
            return RestoredTask(
                Int(step.number), state(place, now, kept), attempt: Int(found[place].attempt) + extra,
                failures: fates[place] == .open && found[place].state != .running
                    ? 0 : Int(found[place].failures),
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

    /// What is left of a wait: however the machine's clock was set since, nobody waits longer than was meant.
    static func rest(of wait: Double, until due: Date?, at now: Date) -> Duration {
        .seconds(min(max(due?.timeIntervalSince(now) ?? 0, 0), wait))
    }

    private func value(_ place: Int, _ kept: any ResultSource) -> (any Sendable)? {
        if let inner = graph.subworkflows[Int32(place)] { return inner }
        if graph.facts(place).isRecomputed { return nil }
        if let value = results[place] { return value }
        if found[place].hasResult { return KeptResult(kept, place) }
        return graph.facts(place).codec?.isNothing == true ? () : nil
    }
}
