import Synchronization

/// A registration that can be cancelled: a callback, an observer, or a scheduled call of a clock.
///
/// Retaining or releasing the object has no effect; only ``cancel()`` ends the registration, from any thread and any
/// number of times.
public final class Subscription: Sendable {
    private let isCancelled = Atomic(false)
    private let onCancel: @Sendable () -> Void

    /// Creates a subscription whose first ``cancel()`` calls `onCancel`.
    public init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Ends the registration; a call that has begun runs to its end.
    public func cancel() {
        if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
    }
}
