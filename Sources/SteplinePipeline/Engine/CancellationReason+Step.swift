import SteplineSupport

extension CancellationReason {
    /// Returns the reason for a step that was cancelled or threw a `CancellationError`.
    static func step(_ position: StepPosition?) -> CancellationReason {
        CancellationReason(.part, "\(position.map { "\($0)" } ?? "a step") was cancelled")
    }
}
