/// A registration that can be ended: an observer, or a call that a clock has scheduled.
///
/// Keeping or dropping the object changes nothing; only ``end()`` does. It may be called from any thread,
/// any number of times.
public final class Subscription: Sendable {
    private let onEnd: Locked<(@Sendable () -> Void)?>

    /// Makes a subscription whose first ``end()`` calls `onEnd`.
    ///
    /// The closure, with all that it holds, is released when it has been called.
    public init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = Locked(onEnd)
    }

    /// Ends the registration; what has begun by then runs to its end.
    public func end() {
        let onEnd = onEnd.withLock { onEnd in
            defer { onEnd = nil }
            return onEnd
        }
        onEnd?()
    }
}
