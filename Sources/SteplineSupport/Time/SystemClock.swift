import Dispatch

public import struct Foundation.Date

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system clock, with a single timer source for all scheduled calls.
///
/// The lock of `timers` protects the heap and the source. The source's queue takes due calls out of the heap. A
/// concurrent queue performs them, so a blocking call doesn't delay other ones. In a simulation, all methods use the
/// simulated clock.
public final class SystemClock: StepClock {
    /// The default clock.
    public static let shared = SystemClock()

    /// Longer delays are clamped to 136 years: a clock can't represent all of them.
    private static let forever = Duration.seconds(1 << 32)

    private let timers = Locked(TimerHeap<@Sendable () -> Void>())
    /// The queue of the calls: a blocking call doesn't delay other ones.
    private let calls = DispatchQueue(
        label: "stepline.clock.calls", qos: .userInitiated, attributes: .concurrent)
    private nonisolated(unsafe) let source: any DispatchSourceTimer  // set only under the lock of `timers`

    private init() {
        let queue = DispatchQueue(label: "stepline.clock", qos: .userInitiated)
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [unowned self] in fire() }
        source.activate()
    }

    /// The date of the system's calendar clock.
    public var now: Date { Stages.current?.clock.now ?? Date() }

    /// The time since a fixed moment, independent of the calendar clock.
    public var uptime: Duration {
        if let stage = Stages.current { return stage.clock.uptime }
        return .nanoseconds(Self.uptimeNanoseconds)
    }

    /// The system's uptime in nanoseconds, which a simulation doesn't replace.
    package static var uptimeNanoseconds: Int64 {
        #if canImport(Glibc) || canImport(Musl)
            // Dispatch reads the same clock for its uptime, but a call of Dispatch takes twice as many instructions.
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        #else
            return Int64(clamping: DispatchTime.now().uptimeNanoseconds)
        #endif
    }

    /// Calls `body` on a Dispatch thread after a delay.
    ///
    /// Calls that are due at the same time may run concurrently. Costs O(log n) for n waiting calls.
    ///
    /// - Parameters:
    ///   - delay: The delay.
    ///   - body: The closure.
    /// - Returns: A subscription whose cancellation withdraws the call, unless the clock has taken it for performing. A
    ///   taken call is made even if it begins after the cancellation.
    @discardableResult
    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        if let stage = Stages.current { return stage.clock.schedule(after: delay, body) }
        let deadline = uptime + min(max(delay, .zero), Self.forever)
        let id = timers.withLock { timers in
            let (id, isFirst) = timers.insert(body, deadline: deadline)
            // Under the lock, so a concurrent insertion can't set a later deadline afterwards.
            if isFirst { arm(for: deadline) }
            return id
        }
        return Subscription { [timers] in
            // Remove under the lock, release after unlock.
            _ = timers.withLock { $0.remove(id) }
        }
    }

    private func fire() {
        // From here on a cancellation finds no entry: the call is made.
        while let body = timers.withLock({ $0.popFirst(dueBy: uptime) }) {
            calls.async(execute: body)
        }
        timers.withLock { timers in
            if let next = timers.firstDeadline { arm(for: next) }
        }
    }

    private func arm(for deadline: Duration) {
        // Dispatch interprets much larger numbers differently, so limit the deadline to a century.
        let (seconds, attoseconds) = max(.zero, min(deadline, .seconds(100 * 365 * 86400))).components
        let nanoseconds = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
        source.schedule(deadline: DispatchTime(uptimeNanoseconds: nanoseconds), leeway: .milliseconds(1))
    }
}
