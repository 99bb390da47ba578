import Synchronization

/// A registration that can be cancelled: a callback, an observer, or a call that a clock has scheduled.
///
/// Keeping or dropping the object changes nothing; only ``cancel()`` does. It may be called from any thread,
/// any number of times.
public final class Subscription: Sendable {
    private let isCancelled = Atomic(false)
    private let onCancel: @Sendable () -> Void

    /// Makes a subscription whose first ``cancel()`` calls `onCancel`.
    public init(onCancel: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
    }

    /// Ends the registration; what has begun by then runs to its end.
    public func cancel() {
        if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
    }
}
