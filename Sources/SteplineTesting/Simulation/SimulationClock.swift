import Foundation
import SteplineSupport

/// The time of a play: it stands still while anything can go on, and then jumps to what is due next.
final class SimulationClock: StepClock {
    private struct State {
        var uptime = Duration.zero
        var timers = TimerHeap<@Sendable () -> Void>()
    }

    /// The beginning of all plays, lest a date differ from one to the next.
    private static let start = Date(timeIntervalSinceReferenceDate: 0)
    private let state = Locked(State())
    /// Says which timers go off late.
    private let plan: Locked<FaultPlan>

    init(_ plan: Locked<FaultPlan>) { self.plan = plan }

    var now: Date { Self.start.addingTimeInterval(uptime.inSeconds) }

    var uptime: Duration { state.withLock { $0.uptime } }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> Subscription {
        let delay = max(delay, .zero) + plan.withLock { $0 }.lateness()
        let id = state.withLock { $0.timers.insert(body, deadline: $0.uptime + delay).id }
        return Subscription { [state] in
            // Taken out under the lock, released after it.
            _ = state.withLock { $0.timers.remove(id) }
        }
    }

    var hasTimers: Bool { state.withLock { $0.timers.firstDeadline != nil } }

    /// Jumps to the next deadline, and gives what is due then in the order it was scheduled; empty if nothing is.
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
