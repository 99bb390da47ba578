import SteplineSupport

/// How much the formulas of a task have made, step by step.
final class FlowTally: Sendable {
    private let budgets = Locked<[ExpressionBudget]>([])

    func add(_ budget: ExpressionBudget) { budgets.withLock { $0.append(budget) } }

    /// In bytes; to be asked when the steps are over.
    var made: Int { budgets.withLock { $0.reduce(0) { $0 + $1.made } } }
}
