import Dispatch

public import struct Foundation.Date

/// The machine's own clock, with one timer source for all that is scheduled on it.
public final class SystemClock: StepClock {
    /// The clock that everything uses unless told otherwise.
    public static let shared = SystemClock()

    /// Longer delays, some of which no clock could count, end as late: after 136 years.
    private static let forever = Duration.seconds(1 << 32)

    private let timers = Locked(TimerHeap<@Sendable () -> Void>())
    /// Where the calls are made: one that blocks holds up no other.
    private let calls = DispatchQueue(
        label: "stepline.clock.calls", qos: .userInitiated, attributes: .concurrent)
    private nonisolated(unsafe) let source: any DispatchSourceTimer  // set only under the lock of `timers`

    private init() {
        let queue = DispatchQueue(label: "stepline.clock", qos: .userInitiated)
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [unowned self] in fire() }
        source.activate()
    }

    /// The date of the machine's calendar clock.
    public var now: Date { Stages.current?.clock.now ?? Date() }

    /// The time since some fixed moment, which goes on steadily whatever happens to the calendar clock.
    public var uptime: Duration {
        if let stage = Stages.current { return stage.clock.uptime }
        return .nanoseconds(Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }

    /// Calls `body` on a thread of Dispatch's when `delay` has passed.
    ///
    /// Calls that are due at the same time may be made at once. Costs O(log n) for n calls that wait.
    @discardableResult
    public func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        if let stage = Stages.current { return stage.clock.schedule(after: delay, body) }
        let deadline = uptime + min(max(delay, .zero), Self.forever)
        let id = timers.withLock { timers in
            let (id, isFirst) = timers.insert(body, deadline: deadline)
            if isFirst { arm(for: deadline) }
            return id
        }
        return Subscription { [timers] in
            // Taken out under the lock, released after it.
            _ = timers.withLock { $0.remove(id) }
        }
    }

    private func fire() {
        while let body = timers.withLock({ $0.popFirst(dueBy: uptime) }) {
            calls.async(execute: body)
        }
        timers.withLock { timers in
            if let next = timers.firstDeadline { arm(for: next) }
        }
    }

    private func arm(for deadline: Duration) {
        // A century is as good as for ever: Dispatch takes much larger numbers for something else.
        let (seconds, attoseconds) = max(.zero, min(deadline, .seconds(100 * 365 * 86400))).components
        let nanoseconds = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
        source.schedule(deadline: DispatchTime(uptimeNanoseconds: nanoseconds), leeway: .milliseconds(1))
    }
}
