import Synchronization

/// A registration that can be ended: an observer, or a call that a clock has scheduled.
///
/// Keeping or dropping the object changes nothing; only ``end()`` does. It may be called from any thread,
/// any number of times.
public final class Subscription: Sendable {
    private let hasEnded = Atomic(false)
    private let onEnd: @Sendable () -> Void

    /// Makes a subscription whose first ``end()`` calls `onEnd`.
    public init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    /// Ends the registration; what has begun by then runs to its end.
    public func end() {
        if !hasEnded.exchange(true, ordering: .acquiringAndReleasing) { onEnd() }
    }
}
