/// The state of a run in one word.
package enum RunState: String, Sendable, Hashable, Codable {
    case running, interrupted, finished, failed, cancelled, incomplete
}

extension RunRecord {
    /// The state of the run; interrupted if it has neither an ending nor a living owner.
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
