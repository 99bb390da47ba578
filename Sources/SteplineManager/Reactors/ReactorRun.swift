import SteplineSupport

/// One run of a reactor.
public final class ReactorRun: Sendable {
    /// The run's number in its manager, from 1.
    public let number: Int

    private let state: Locked<[AnyTaskHandle]>

    init(number: Int, trigger: AnyTaskHandle) {
        self.number = number
        state = Locked([trigger])
    }

    /// The handles that have triggered or joined it so far, in order.
    public var triggers: [AnyTaskHandle] { state.withLock { $0 } }

    func join(_ handle: AnyTaskHandle) { state.withLock { $0.append(handle) } }
}
