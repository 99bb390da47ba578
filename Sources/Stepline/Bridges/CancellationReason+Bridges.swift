import SteplineSupport

extension CancellationReason {
    /// What a managed task started is cancelled with it, where nobody has given a reason.
    static let managedTask = CancellationReason(.surroundings, "its managed task has ended")
}
