import SteplineWorkflow

/// Steps that have ended with their process, once one of them has its last chance: they run one at a time.
///
/// Of all that ran when a process ended nobody knows which has ended it. Alone, only that one is blamed.
struct Suspects: Sendable {
    private let steps: Set<String>
    private let pool = ConcurrencyPool("interrupted before", capacity: 1)

    /// By how often steps have ended with their process.
    init(_ interruptions: [String: Int]) {
        let hasLastChance = interruptions.values.contains { $0 + 1 >= RunPlan.interruptions }
        steps = hasLastChance ? Set(interruptions.keys) : []
    }

    /// The pool that a step's attempts take the one place of; nil for a step that may run beside others.
    func pool(of step: String) -> ConcurrencyPool? { steps.contains(step) ? pool : nil }
}
