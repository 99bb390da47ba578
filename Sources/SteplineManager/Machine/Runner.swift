import SteplineSupport

/// A Swift task that runs bodies, asks interceptors or reactors, or runs a reactor.
///
/// The machine may stop a runner before its Swift task exists. `hold` then cancels the task.
final class Runner: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isStopped = false
    }

    private let state = Locked(State())

    func hold(_ task: Task<Void, Never>) {
        // A stop may precede `hold`: it found no task to cancel.
        let isStopped = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isStopped { task.cancel() }
    }

    /// Cancels the Swift task, whose current work is no longer wanted; the runner takes no other work.
    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
    }
}
