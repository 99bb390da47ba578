package import Foundation
package import SteplineSupport

/// A clock that runs a closure of the test at each of its calls.
///
/// An engine that calls its clock while it holds a lock deadlocks, if the closure calls the engine.
package final class ReentrantClock: StepClock {
    private let base: any StepClock
    private let limit: Duration?
    private let closure = Locked<(@Sendable () -> Void)?>(nil)
    private let calls = Locked(0)

    /// Makes a clock that shows the time of `base`.
    ///
    /// - Parameter limit: Calls that are due after this delay or a longer one are never made. With a `base` that jumps
    ///   to its next deadline, time-outs would expire otherwise.
    package init(_ base: any StepClock, droppingDelaysFrom limit: Duration? = nil) {
        self.base = base
        self.limit = limit
    }

    /// The number of calls during which the closure has run.
    package var callCount: Int { calls.withLock { $0 } }

    /// Sets the closure, or removes it with all that it holds.
    package func onCall(_ body: (@Sendable () -> Void)?) {
        let old = closure.withLock { closure in
            defer { closure = body }
            return closure
        }
        withExtendedLifetime(old) {}
    }

    private func runClosure() {
        guard let body = closure.withLock({ $0 }) else { return }
        calls.withLock { $0 += 1 }
        body()
    }

    package var now: Date {
        runClosure()
        return base.now
    }

    package var uptime: Duration {
        runClosure()
        return base.uptime
    }

    package func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        runClosure()
        let isKept = limit.map { delay < $0 } ?? true
        let call = isKept ? base.schedule(after: delay, body) : nil
        return Subscription { [self] in
            runClosure()
            call?.cancel()
        }
    }
}
