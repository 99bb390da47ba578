import SteplineSupport

/// A Swift task that asks, and runs bodies, one after the other for as long as there is something to do.
///
/// It is stopped for the sake of one body or one question, and then takes nothing else.
final class Runner: Sendable {
    private struct State {
        var task: _Concurrency.Task<Void, Never>?
        var isStopped = false
    }

    private let state = Locked(State())

    func hold(_ task: _Concurrency.Task<Void, Never>) {
        let isStopped = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isStopped { task.cancel() }
    }

    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            return state.task
        }
        task?.cancel()
    }
}

/// What a runner does next.
enum Work {
    case body(TaskRecord, attempt: Int)
    case interception(TaskRecord, heldCounts: [Int], loop: Int)
    case asking(TaskRecord, requeues: [Int: Int], loop: Int)
}
