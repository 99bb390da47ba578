import SteplineWorkflow

/// The number of times that each step has ended with its process.
///
/// If several steps ran when a process died, the cause is unknown: all of them count. As soon as one of them has its
/// last try, these steps run one at a time, so that only the actual cause is blamed. An interruption uses up no retry.
///
/// In a run that wasn't interrupted before, a begin is stored up to 2 ms late. A process that ends within this time
/// leaves the attempt uncounted. After an interruption a body begins only when its begin is stored (`isCareful`).
///
/// `RunPlan.take` counts a step's row that is still `running` as one more. For map elements `KeptElements` and
/// `RunPlan.interruptionCounts` do.
struct Interruptions: Sendable {
    /// The number of interruptions at which a step fails.
    static let most = 3

    private let counts: [String: Int]
    private let alone: ConcurrencyPool?

    init(_ counts: [String: Int]) {
        self.counts = counts
        // Another interruption would fail such a step.
        let hasLastChance = counts.values.contains { $0 + 1 >= Self.most }
        alone = hasLastChance ? ConcurrencyPool("interrupted before", capacity: 1) : nil
    }

    /// Returns the number of interruptions of a step.
    subscript(_ step: String) -> Int { counts[step] ?? 0 }

    /// Returns the pool of one slot that interrupted steps share; nil for a step that may run beside others.
    func pool(of step: String) -> ConcurrencyPool? { counts[step] == nil ? nil : alone }
}
