import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

/// A task that runs another workflow file, whose result is its own.
final class FlowInclusionTask: WorkflowTask, @unchecked Sendable {  // what isn't constant is locked
    private let shared: FlowSharedPlan
    /// Its place in the order of the plan.
    private let number: Int
    /// What its formulas see, if it is an element of a map.
    private let elementBag: Content?
    /// What the map may keep that it is an element of.
    private let room: FlowMapRoom?
    private let latest = Locked<Workflow?>(nil)

    init(_ number: Int, of shared: FlowSharedPlan, _ options: TaskOptions) {
        self.shared = shared
        self.number = number
        elementBag = nil
        room = nil
        super.init(name: shared.plan.told(shared.plan.order[number].name), options: options)
    }

    init(
        _ element: FlowElement, of number: Int, in shared: FlowSharedPlan, _ options: TaskOptions,
        _ bag: Content, _ room: FlowMapRoom
    ) {
        self.room = room
        self.shared = shared
        self.number = number
        elementBag = element.bag(bag)
        let name = shared.plan.told(shared.plan.order[number].name)
        super.init(name: FlowElement.name(element.key, in: name), options: options)
    }

    private var task: FlowTask { shared.plan.order[number] }

    override var resultType: (any Sendable.Type)? { FlowResult.self }

    /// The workflow of the latest attempt; nil before the first.
    var inner: Workflow? { latest.withLock { $0 } }

    override func run() async throws -> (any Sendable)? {
        let plan = shared.plan
        let bag = elementBag ?? plan.bag(of: prerequisites)
        if elementBag == nil, let reason = try plan.skips(task, behind: prerequisites, bag) {
            return FlowResult(skipped: reason)
        }
        do {
            try room?.begin()
            let made = try await result(bag)
            let whole = try room?.keep(made) ?? made
            let result = plan.isKept ? try plan.setting.secrets.kept(whole) : whole
            if elementBag == nil { try plan.checkWritten(by: task) }
            return result
        } catch {
            throw plan.setting.secrets.hidden(error)
        }
    }

    private func result(_ bag: Content) async throws -> FlowResult {
        let plan = shared.plan
        var inner = try plan.inner(of: task, told: name, bag)
        let saved = Locked<[ProducedFile]>([])
        if plan.isKept {
            inner.setting.saved = { file in
                saved.withLock { $0 = $0.filter { $0.path != file.path } + [file] }
            }
        }
        let workflow = try inner.workflow()
        latest.withLock { $0 = workflow }
        let told = plan.followElements(workflow, name)
        do {
            // Not the engine's, which lets the next task begin while the tasks inside are being stopped.
            _ = try await FlowTimeLimit.run(within: task.policies.timeout, plan.setting.clock) { _ in
                try await workflow.run()
            }
        } catch let error as WorkflowError where error.code == .tasksFailed {
            await told?.value
            let failed = workflow.allTasks.first { $0.state == .failed }
            throw failed.map { FlowElementFailure(element: $0.name, underlying: $0.error) } ?? error
        } catch {
            // One that was cancelled before it began never settles, and has nothing to be told of.
            told?.cancel()
            await told?.value
            throw error
        }
        await told?.value
        let budget = ExpressionBudget()
        let value = try inner.outcome(of: workflow.allTasks, budget)
        try plan.keep(.json(value), of: task, made: budget.made)
        return FlowResult(value: .json(value), files: saved.withLock { $0 })
    }

    /// The workflow that a task of a flow would run, for a drawing before the run; of a map that of each element.
    static func planned(inside task: WorkflowTask) -> Workflow? {
        (task as? FlowMapTask)?.planned
            ?? (task as? FlowInclusionTask).flatMap { $0.shared.plan.planned($0.task) }
    }

    /// The workflow that a task of a flow runs inside it, if it does.
    static func workflow(inside task: WorkflowTask) -> Workflow? {
        (task as? FlowMapTask)?.elements ?? (task as? FlowInclusionTask)?.inner
    }
}
