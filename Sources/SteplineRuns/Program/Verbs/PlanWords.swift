/// A plan as text or JSON.
extension DurablePlan {
    /// The JSON form of a plan.
    private struct Plan: Encodable {
        let workflow: String
        let key: String
        let isNew: Bool
        let steps: [Step]
    }

    private struct Step: Encodable {
        let step: String
        let action: PlannedStep.Action
        let reason: String
        let explanation: String
        let because: [String]
        let source: RunID?

        init(_ step: PlannedStep) {
            self.step = step.name
            action = step.action
            reason = step.reason.description
            explanation = step.explanation
            because = step.because
            source = step.source
        }
    }

    /// Returns a line with the numbers of steps and a line for each step, or one line of JSON.
    package func answer(isJSON: Bool) throws -> RunsAnswer {
        if isJSON {
            let steps = steps.map(Step.init)
            return try RunsAnswer(
                json: Plan(workflow: id.workflow, key: id.key, isNew: isNew, steps: steps))
        }
        // A run without a store has no key.
        let subject = id.key.isEmpty ? id.workflow : "\(id)"
        let rows = steps.map { [$0.action.rawValue, $0.name, $0.explanation] }
        return RunsAnswer(
            lines: [RunsText.oneLine("\(subject): \(counts)")]
                + RunsText.table(["plan", "step", "why"], rows))
    }

    /// The numbers of steps for each action: `2 kept, 1 runs`.
    private var counts: String {
        let counts = PlannedStep.Action.allCases.compactMap { action in
            let count = steps.count { $0.action == action }
            return count == 0 ? nil : "\(count) \(action == .runs ? "to run" : action.rawValue)"
        }
        return counts.isEmpty ? "no steps" : counts.joined(separator: ", ")
    }
}
