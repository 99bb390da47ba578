import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

/// The steps of a task as a pipeline.
struct FlowChain: Sendable {
    private let task: FlowTask
    private let plan: FlowPlan

    init(_ task: FlowTask, in plan: FlowPlan) {
        self.task = task
        self.plan = plan
    }

    /// Runs the steps; throws a ``FlowFailure`` without secrets.
    ///
    /// - Parameters:
    ///   - bag: The content for formulas.
    ///   - name: The name of the task or element.
    ///   - grow: Called with what a step `grow` has found.
    func run(
        _ bag: Content, named name: String, grow: (@Sendable ([JSON]) throws -> Void)? = nil
    ) async throws -> FlowResult {
        try await plan.hidingSecrets { try await result(bag, named: name, grow) }
    }

    private func result(
        _ bag: Content, named name: String, _ grow: (@Sendable ([JSON]) throws -> Void)?
    ) async throws -> FlowResult {
        let saved = SavedFiles()
        var setting = plan.setting
        if plan.isKept { setting.saved = { saved.add($0) } }
        setting.warn = plan.warn
        setting.grow = grow
        // Without rate limits the engine enforces the task's time limit.
        let timeout = plan.countsTimeInChains ? plan.policies(of: task).timeout : nil
        let budgets = Locked<[ExpressionBudget]>([])
        setting.budgets = budgets
        let kept = setting
        let value = try await FlowTimeLimit.run(within: timeout, setting.clock) { watch in
            var setting = kept
            setting.lineWatch = watch
            return try await runPipeline(bag, named: name, setting)
        }
        try plan.keep(value, of: task, made: budgets.withLock { $0.reduce(0) { $0 + $1.made } })
        return FlowResult(value: value, files: saved.all)
    }

    private func runPipeline(
        _ bag: Content, named name: String, _ setting: FlowSetting
    ) async throws -> FlowValue {
        let (pipeline, steps, hidden) = try pipeline(named: name, content: bag, setting)
        let reporting = plan.follow(pipeline, name, hidden)
        do {
            let value = try await pipeline.run(returning: .flow)
            // Wait for the end of the stream: no event of the pipeline may follow the task's end.
            await reporting?.value
            return value
        } catch {
            if pipeline.isFinished { await reporting?.value }
            throw describe(error, steps)
        }
    }

    /// Returns the pipeline, the file's step for each pipeline step, and the positions of auxiliary steps.
    private func pipeline(
        named name: String, content: Content, _ setting: FlowSetting
    ) throws -> (made: Pipeline<Content>, steps: [FlowStep], hidden: Set<Int>) {
        let options = PipelineOptions(clock: plan.setting.clock)
        let pipeline = Pipeline(name, content: content, options: options)
        var hidden: Set<Int> = []
        var steps: [FlowStep] = []
        for step in task.steps {
            let parts = step.make(in: setting, content)
            for part in parts { try pipeline.addStep(part) }
            // Of several parts, the second does the work.
            if parts.count > 1 { hidden.formUnion(parts.indices.filter { $0 != 1 }.map { steps.count + $0 }) }
            steps += parts.map { _ in step }
        }
        return (pipeline, steps, hidden)
    }

    /// Converts a pipeline error to the terms of the file.
    private func describe(_ error: any Error, _ steps: [FlowStep]) -> any Error {
        guard let error = error as? PipelineError, let position = error.step,
            steps.indices.contains(position.index)
        else { return error }
        let step = steps[position.index]
        if let cause = error.underlying {
            return plan.setting.failure(of: step, after: error.attempt, cause)
        }
        // Leave out the position in the pipeline.
        let own = "\(error)".components(separatedBy: " failed: ").last ?? "\(error)"
        return plan.setting.failure(of: step, after: error.attempt, error, wording: own)
    }
}
