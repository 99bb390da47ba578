import SteplineRuns

/// By how much the numbers of a run's steps change that have finished and failed.
struct StepCounts {
    private(set) var finished = 0
    private(set) var failed = 0

    /// A step has come from one state to another.
    mutating func add(from old: StepState, to new: StepState) {
        finished += (new == .finished ? 1 : 0) - (old == .finished ? 1 : 0)
        failed += (new == .failed ? 1 : 0) - (old == .failed ? 1 : 0)
    }

    static func + (one: StepCounts, other: StepCounts) -> StepCounts {
        var sum = one
        sum.finished += other.finished
        sum.failed += other.failed
        return sum
    }
}
