/// The state of a run.
public enum RunState: String, Sendable, Hashable, Codable, CaseIterable {
    /// The run was created for another process, which hasn't opened it yet.
    case waiting
    /// A live owner has the run open.
    case running
    /// The run was opened, and has no end and no live owner.
    case interrupted
    /// All steps have finished.
    case finished
    /// At least one step has failed for good.
    case failed
    /// The run was cancelled.
    case cancelled
    /// Some steps were never started.
    case incomplete
}

extension RunState {
    /// The state of a run that was opened and has no owner.
    init(_ ending: RunEnding?) {
        self =
            switch ending {
            case .finished: .finished
            case .failed: .failed
            case .cancelled: .cancelled
            case .incomplete: .incomplete
            case nil: .interrupted
            }
    }
}

extension RunRecord {
    /// The state of the run: `running` while it is open, whatever its last ending was.
    public var state: RunState {
        if isOpen { return .running }
        return openings == 0 ? .waiting : RunState(ending)
    }
}
