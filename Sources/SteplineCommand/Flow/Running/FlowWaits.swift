import SteplineSupport

/// How long each task and element has waited for what its work needs.
final class FlowWaits: Sendable {
    enum Cause: Sendable, Hashable {
        /// Its loads for their turn at a host.
        case host
        /// Its steps for their turn by their rate, or for places of pools.
        case turn
    }

    private struct Wait: Hashable {
        let task: String
        let cause: Cause
    }

    private struct State {
        var waited: [String: [Cause: Duration]] = [:]
        var since: [Wait: Duration] = [:]
    }

    private let clock: any StepClock
    private let state = Locked(State())

    init(_ clock: any StepClock) { self.clock = clock }

    /// A wait begins or ends; those for one cause come one after the other in a task.
    func note(_ task: String, isWaiting: Bool, for cause: Cause) {
        let now = clock.uptime
        let wait = Wait(task: task, cause: cause)
        state.withLock { state in
            if isWaiting {
                state.since[wait] = now
            } else if let since = state.since.removeValue(forKey: wait) {
                state.waited[task, default: [:]][cause, default: .zero] += now - since
            }
        }
    }

    /// By the names of tasks and elements.
    var all: [String: [Cause: Duration]] { state.withLock { $0.waited } }
}
