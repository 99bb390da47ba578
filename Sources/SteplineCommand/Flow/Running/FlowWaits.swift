import SteplineSupport

/// How long the loads of each task and element have waited for their turn at a host.
final class FlowHostWaits: Sendable {
    private struct State {
        var waited: [String: Duration] = [:]
        var since: [String: Duration] = [:]
    }

    private let clock: any StepClock
    private let state = Locked(State())

    init(_ clock: any StepClock) { self.clock = clock }

    /// A wait begins or ends; one after the other in a task.
    func note(_ task: String, isWaiting: Bool) {
        let now = clock.uptime
        state.withLock { state in
            if isWaiting {
                state.since[task] = now
            } else if let since = state.since.removeValue(forKey: task) {
                state.waited[task, default: .zero] += now - since
            }
        }
    }

    /// By the names of tasks and elements.
    var all: [String: Duration] { state.withLock { $0.waited } }
}
