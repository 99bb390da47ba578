import SteplineSupport

/// A Swift task that runs bodies, asks, or runs a reactor, and may be told to stop before it is known.
final class Runner: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isStopped = false
    }

    private let state = Locked(State())

    func hold(_ task: Task<Void, Never>) {
        let isStopped = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isStopped { task.cancel() }
    }

    /// Tells the Swift task that what it does isn't wanted any more; it takes nothing else.
    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
    }
}
