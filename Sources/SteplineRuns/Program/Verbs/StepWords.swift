import Foundation

/// The description of a step: its state and the reason.
struct StepWords {
    /// The state in one word.
    let state: String
    /// The failure, the reason of a skip, or the event that the step waits for.
    let note: String

    init(state: String, note: String) { (self.state, self.note) = (state, note) }

    /// Creates the description of a step from its run's state; `skips` has the reasons for skipped steps.
    init(_ step: StepRecord, of run: RunRecord, skips: [String: String]) {
        if step.state == .finished, let reason = skips[step.name] {
            (state, note) = ("skipped", reason)
            return
        }
        let failure = step.failure?.message ?? ""
        let isOver = run.ending != nil && !run.isOpen
        switch step.state {
        case .running where run.isOpen:
            (state, note) = ("running", "since \(RunsText.date(step.began))")
        // The run has no owner: the attempt was interrupted.
        case .running:
            let ended = "its process ended while it ran"
            (state, note) = ("interrupted", isOver ? ended : "\(ended); it is run again")
        case .waiting where isOver: (state, note) = ("waiting", failure)
        case .waiting:
            let due = "the next attempt is due at \(RunsText.date(step.due))"
            (state, note) = ("waiting", failure.isEmpty ? due : "\(due), after: \(failure)")
        case .pending: (state, note) = ("pending", "its results are void; it runs again")
        case .finished: (state, note) = ("finished", "")
        case .failed, .cancelled: (state, note) = (step.state.rawValue, failure)
        }
    }

    /// Creates the description of a replaced attempt.
    init(past step: StepRecord) {
        note = step.failure?.message ?? ""
        switch step.state {
        case .running: state = "interrupted"
        // The attempt failed and was followed by another one.
        case .waiting: state = "failed"
        case .pending, .finished, .failed, .cancelled: state = step.state.rawValue
        }
    }
}

extension StepRecord {
    /// The duration of the latest attempt; empty while it isn't over.
    var length: String {
        guard let began, let ended, state != .running, state != .pending else { return "" }
        return RunsText.length(ended.timeIntervalSince(began))
    }
}
