import Foundation
import SteplineSupport

extension Pipeline {
    /// Says in a sentence what the pipeline waits for, and since when.
    public func explain() -> String {
        let now = PipelineMoment(options.clock)
        let (phase, activity, current, attempt, since, reason) = machine.withLock { machine in
            (
                machine.phase, machine.activity, machine.currentPosition, machine.attempt,
                machine.waitingSince, machine.cancelReason
            )
        }
        switch phase {
        case .ready: return "\(name) waits for start()."
        case .ended(let outcome): return "\(name) has ended: \(outcome)."
        case .running: break
        }
        let step = current.map { "\($0)" } ?? "the first step"
        let what =
            switch activity {
            case .nothing: "goes on to \(step)"
            case .queued(nil): "waits for a free thread to run \(step)"
            case .queued: "waits for the queue of \(step) to run it"
            case .body: "waits for the body of \(step) to end (attempt \(attempt))"
            case .backoff: "waits before attempt \(attempt + 1) of \(step)"
            case .oldBody: "waits for the timed-out body of \(step) to end, before attempt \(attempt + 1)"
            }
        let cancelled = reason.map { ", cancelled (\($0))," } ?? ""
        return "\(name)\(cancelled) \(what), since \(now.calendar.date(of: since).ISO8601Format())."
    }
}
