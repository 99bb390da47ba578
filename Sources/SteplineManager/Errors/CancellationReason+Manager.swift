public import SteplineSupport

extension CancellationReason.Code {
    /// The manager was shut down.
    public static let shutDown = CancellationReason.Code("shutDown")
    /// The manager was released, so no call could start, release or resume the task any more.
    public static let managerReleased = CancellationReason.Code("managerReleased")
}

extension CancellationReason {
    /// The manager was shut down.
    public static let shutDown = CancellationReason(.shutDown, "its manager was shut down")

    /// The manager was released, so no call could start, release or resume the task any more.
    public static let managerReleased = CancellationReason(.managerReleased, "its manager is gone")
}
