import SteplineSupport

extension CancellationReason {
    /// The reason for work that a managed task cancels without a reason of its own.
    static let managedTask = CancellationReason(.surroundings, "its managed task has ended")
}
