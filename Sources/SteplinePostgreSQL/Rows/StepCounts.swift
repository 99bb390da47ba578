import SteplineRuns

/// A change of a run's counters of finished and failed steps.
struct StepCounts {
    private(set) var finished = 0
    private(set) var failed = 0

    /// Adds the transition of one step.
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
