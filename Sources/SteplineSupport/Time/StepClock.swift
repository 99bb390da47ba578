public import struct Foundation.Date

/// The one source of time: every delay, time-out, back-off and timestamp asks it.
///
/// ``SystemClock`` is the default; `SteplineTesting` has a manual one that tests move by hand.
public protocol StepClock: Sendable {
    /// The date, for people: it is written on events and compared with a server's dates.
    var now: Date { get }

    /// The time on a scale that never jumps, from which durations are measured.
    var uptime: Duration { get }

    /// Calls `body` once, when `delay` has passed, on a thread of the clock's.
    ///
    /// The body must be short and must not block. Ending the subscription withdraws a call that isn't due yet.
    @discardableResult
    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription
}

/// A clock that can be told from when a delay counts.
///
/// Whoever moves it on between a decision and its timer makes the timer no later by that.
package protocol PunctualClock: StepClock {
    /// Calls `body` once, when `delay` has passed since `start`; on another thread if that is over already.
    func schedule(
        after delay: Duration, from start: Duration, _ body: @escaping @Sendable () -> Void
    ) -> Subscription
}

extension StepClock {
    /// Waits without holding a thread.
    ///
    /// Throws `CancellationError` at once when the Swift task that waits is cancelled.
    public func sleep(for duration: Duration) async throws {
        let wait = OneShot<Result<Void, any Error>>()
        let timer = schedule(after: duration) { wait.fulfill(.success(())) }
        try await withTaskCancellationHandler {
            try await wait.value.get()
        } onCancel: {
            timer.cancel()
            wait.fulfill(.failure(CancellationError()))
        }
    }
}

extension StepClock where Self == SystemClock {
    /// The machine's own clock.
    public static var system: SystemClock { .shared }
}
