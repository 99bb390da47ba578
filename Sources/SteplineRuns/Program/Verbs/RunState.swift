/// How a run stands, in a word.
public enum RunState: String, Sendable, Hashable, Codable, CaseIterable {
    /// A living owner has it open.
    case running
    /// The run has no end and no live owner.
    case interrupted
    /// All that was to be done is done.
    case finished
    /// Steps have failed for good.
    case failed
    /// The run was cancelled.
    case cancelled
    /// Some steps were never started.
    case incomplete
}

extension RunRecord {
    /// How the run stands; `running` as long as it is open, whatever its last ending was.
    public var state: RunState {
        if isOpen { return .running }
        return switch ending {
        case .finished: .finished
        case .failed: .failed
        case .cancelled: .cancelled
        case .incomplete: .incomplete
        case nil: .interrupted
        }
    }
}
