/// How many tasks are in each state.
struct StateCounts {
    // Separate counters: for a constant state, a change compiles to one addition.
    private var pending = 0, ready = 0, executing = 0, finished = 0, failed = 0, cancelled = 0

    @inline(__always)
    subscript(_ state: WorkflowTask.State) -> Int {
        get {
            switch state {
            case .pending: pending
            case .ready: ready
            case .executing: executing
            case .finished: finished
            case .failed: failed
            case .cancelled: cancelled
            }
        }
        set {
            switch state {
            case .pending: pending = newValue
            case .ready: ready = newValue
            case .executing: executing = newValue
            case .finished: finished = newValue
            case .failed: failed = newValue
            case .cancelled: cancelled = newValue
            }
        }
    }

    @inline(__always)
    mutating func move(from old: WorkflowTask.State, to new: WorkflowTask.State) {
        self[old] &-= 1
        self[new] &+= 1
    }
}
