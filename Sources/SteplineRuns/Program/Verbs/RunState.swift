/// How a run stands, in a word.
package enum RunState: String, Sendable, Hashable, Codable {
    case running, interrupted, finished, failed, cancelled, incomplete
}

extension RunRecord {
    /// How the run stands; without an end and without a living owner it was interrupted.
    package var state: RunState {
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
