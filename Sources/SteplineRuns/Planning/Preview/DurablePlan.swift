/// A plan of a durable run: an action and a reason for each step, decided without running or writing anything.
///
/// A plan assumes that all bodies succeed: if one fails, its dependents don't run. Elements of a map are in a plan if
/// the store has them. Those of a list that runs again take part if the new list has them.
public struct DurablePlan: Sendable, Hashable {
    /// The identity of the run.
    public let id: RunID
    /// Whether the store doesn't have the run yet.
    public let isNew: Bool
    /// The steps in the order of the workflow, each followed by the steps inside it; steps that are gone come last.
    public let steps: [PlannedStep]

    package init(of id: RunID, isNew: Bool, _ steps: [PlannedStep]) {
        self.id = id
        self.isNew = isNew
        self.steps = steps
    }

    /// Returns the names of the steps with an action, in the order of the plan.
    public func names(_ action: PlannedStep.Action) -> [String] {
        steps.lazy.filter { $0.action == action }.map(\.name)
    }

    /// The step of that name; nil if the plan has none.
    ///
    /// Searches all steps.
    public subscript(name: String) -> PlannedStep? { steps.first { $0.name == name } }
}

extension DurablePlan: CustomStringConvertible {
    /// The run, then a line for each step with its action and reason.
    public var description: String {
        (["\(id)\(isNew ? " (new)" : "")"] + steps.map { "\($0)" }).joined(separator: "\n")
    }
}
