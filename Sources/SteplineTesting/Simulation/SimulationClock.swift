import Foundation
import SteplineSupport

/// The simulated time: it stands still while events are possible, then jumps to the next timer.
final class SimulationClock: StepClock {
    private struct State {
        var uptime = Duration.zero
        var timers = TimerHeap<@Sendable () -> Void>()
    }

    /// The begin of all simulated time, so dates don't differ between runs.
    private static let start = Date(timeIntervalSinceReferenceDate: 0)
    private let state = Locked(State())
    /// The plan of late timers.
    private let plan: Locked<FaultPlan>

    init(_ plan: Locked<FaultPlan>) { self.plan = plan }

    var now: Date { Self.start.addingTimeInterval(uptime.inSeconds) }

    var uptime: Duration { state.withLock { $0.uptime } }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        // Faults are asked without the timer lock.
        let delay = max(delay, .zero) + plan.withLock { $0 }.lateness()
        let id = state.withLock { $0.timers.insert(body, deadline: $0.uptime + delay).id }
        return Subscription { [state] in
            // Remove under the lock, release after unlock.
            _ = state.withLock { $0.timers.remove(id) }
        }
    }

    var hasTimers: Bool { state.withLock { $0.timers.firstDeadline != nil } }

    /// Jumps to the next deadline; returns the due calls in the order of their scheduling.
    func jump() -> [@Sendable () -> Void] {
        state.withLock { state in
            guard let deadline = state.timers.firstDeadline else { return [] }
            state.uptime = max(state.uptime, deadline)
            var due: [@Sendable () -> Void] = []
            while let body = state.timers.popFirst(dueBy: deadline) { due.append(body) }
            return due
        }
    }
}
