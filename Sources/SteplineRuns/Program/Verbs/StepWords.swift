import Foundation

/// A step in words: how it stands, and why.
struct StepWords {
    /// How it stands, in a word.
    let state: String
    /// What failed, or what it waits for.
    let note: String

    init(state: String, note: String) { (self.state, self.note) = (state, note) }

    /// Words for a step of a run that somebody runs, or nobody.
    init(_ step: StepRecord, of run: RunRecord) {
        let failure = step.failure?.message ?? ""
        let isOver = run.ending != nil && !run.isOpen
        switch step.state {
        case .running where run.isOpen:
            (state, note) = ("running", "since \(RunsText.date(step.began))")
        case .running:
            let ended = "its process ended while it ran"
            (state, note) = ("interrupted", isOver ? ended : "\(ended); it is run again")
        case .waiting where isOver: (state, note) = ("waiting", failure)
        case .waiting:
            let due = "the next attempt is due at \(RunsText.date(step.due))"
            (state, note) = ("waiting", failure.isEmpty ? due : "\(due), after: \(failure)")
        case .pending: (state, note) = ("pending", "what it did counts no longer; it is run again")
        case .finished: (state, note) = ("finished", "")
        case .failed, .cancelled: (state, note) = (step.state.rawValue, failure)
        }
    }

    /// Words for an attempt that another one has followed.
    init(past step: StepRecord) {
        note = step.failure?.message ?? ""
        switch step.state {
        case .running: state = "interrupted"
        // It had failed, and waited for the one that followed.
        case .waiting: state = "failed"
        case .pending, .finished, .failed, .cancelled: state = step.state.rawValue
        }
    }
}

extension StepRecord {
    /// How long its latest attempt took; nothing if that isn't over.
    var length: String {
        guard let began, let ended, state != .running, state != .pending else { return "" }
        return RunsText.length(ended.timeIntervalSince(began))
    }
}
