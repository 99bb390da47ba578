public import SteplineSupport

/// Where a pipeline stands.
public enum PipelineState: Sendable, CustomStringConvertible {
    /// It has not been started.
    case ready
    /// Its steps run.
    case running
    /// It was cancelled, and the body of a step has not ended yet.
    case cancelling
    /// It has ended.
    case ended(Outcome<Content>)

    /// The state in a word.
    public var description: String {
        switch self {
        case .ready: "ready"
        case .running: "running"
        case .cancelling: "cancelling"
        case .ended(let outcome): "\(outcome)"
        }
    }
}
