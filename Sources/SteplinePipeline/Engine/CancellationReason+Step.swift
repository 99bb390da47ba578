import SteplineSupport

extension CancellationReason {
    /// A step was cancelled, or threw a `CancellationError` of its own.
    static func step(_ position: StepPosition?) -> CancellationReason {
        CancellationReason(.part, "\(position.map { "\($0)" } ?? "a step") was cancelled")
    }
}
