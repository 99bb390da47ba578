public import struct Foundation.Date

/// The source of time for every delay, time-out, back-off and timestamp.
///
/// ``SystemClock`` is the default; `SteplineTesting` has a manual clock for tests.
/// A clock with a time of its own is a class: clocks that are values count as one clock of their type.
public protocol StepClock: Sendable {
    /// The current date, for events and for comparisons with a server's dates.
    var now: Date { get }

    /// The time on a monotonic scale, which measures durations.
    var uptime: Duration { get }

    /// Calls `body` once after a delay, on a thread of the clock.
    ///
    /// - Parameters:
    ///   - delay: The delay.
    ///   - body: The closure, which must be short and must not block.
    /// - Returns: A subscription whose cancellation withdraws a call that isn't due yet.
    @discardableResult
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription
}

/// The purpose of a scheduled call.
@usableFromInline
package enum ClockPurpose: Sendable {
    /// The call ends a wait: a delay, a back-off, a sleep.
    case wait
    /// The call watches other work: a time-out, a deadline, a grace period, a check for stalls, a poll.
    case background
}

/// A clock that measures a delay from a given begin, and distinguishes waits from background calls.
///
/// If the clock is moved between a decision and its timer, the timer fires no later because of that.
package protocol PunctualClock: StepClock {
    /// Calls `body` once when `delay` has passed since `start`; on another thread if this time is already over.
    ///
    /// Without `start`, the delay begins with the call.
    func schedule(
        after delay: Duration, from start: Duration?, for purpose: ClockPurpose,
        _ body: @escaping @Sendable () -> Void
    ) -> Subscription
}

extension StepClock {
    /// Calls `body` once after a time limit or a polling interval, which a clock that runs by itself doesn't jump to.
    @discardableResult
    package func scheduleInBackground(
        after delay: Duration, _ body: @escaping @Sendable () -> Void
    ) -> Subscription {
        (self as? any PunctualClock)?.schedule(after: delay, from: nil, for: .background, body)
            ?? schedule(after: delay, body)
    }
}

extension StepClock {
    /// Waits without occupying a thread.
    ///
    /// - Parameter duration: The time to wait.
    /// - Throws: `CancellationError` at once when the waiting Swift task is cancelled.
    public func sleep(for duration: Duration) async throws {
        let wait = OneShot<Result<Void, any Error>>()
        let timer = schedule(after: duration) { wait.fulfill(.success(())) }
        try await withTaskCancellationHandler {
            try await wait.value.get()
        } onCancel: {
            // Whichever comes first fulfils the wait: the timer or the cancellation.
            timer.cancel()
            wait.fulfill(.failure(CancellationError()))
        }
    }
}

extension StepClock where Self == SystemClock {
    /// The system clock.
    public static var system: SystemClock { .shared }
}
