public import SteplineSupport

/// The state of a pipeline.
public enum PipelineState: Sendable, CustomStringConvertible {
    /// The pipeline was not started.
    case ready
    /// The steps are running.
    case running
    /// The pipeline was cancelled, and a step's body hasn't ended.
    case cancelling
    /// The pipeline has ended.
    case ended(Outcome<Content>)

    /// The name of the state.
    public var description: String {
        switch self {
        case .ready: "ready"
        case .running: "running"
        case .cancelling: "cancelling"
        case .ended(let outcome): "\(outcome)"
        }
    }
}
