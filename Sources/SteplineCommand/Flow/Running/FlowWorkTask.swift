import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRuns
import SteplineSupport
import SteplineWorkflow

/// A task of a workflow file, or an element of a mapped task.
///
/// Three kinds: a task with steps runs a `FlowChain`. A task with a file runs an inner workflow. A mapped task runs an
/// inner workflow with a task for each element. `run` is called by the workflow engine, on one thread at a time.
final class FlowWorkTask: WorkflowTask, @unchecked Sendable {  // mutable state is locked
    /// A plan shared by its tasks, so that they don't copy it.
    final class Shared: Sendable {
        let plan: FlowPlan

        init(_ plan: FlowPlan) { self.plan = plan }
    }

    private let shared: Shared
    /// The index of the task in the plan's order.
    private let number: Int
    /// The content for an element's formulas; nil for other tasks.
    private let elementBag: Content?
    /// The options of a mapped task's elements.
    private let elementOptions: TaskOptions
    private let latest = Locked<Workflow?>(nil)

    init(_ number: Int, of shared: Shared, _ options: TaskOptions) {
        self.shared = shared
        self.number = number
        elementBag = nil
        let task = shared.plan.order[number]
        var (whole, elements) = (options, options)
        if let map = task.map {
            // The deadline applies to all elements together; each attempt of an element has its own time limit.
            whole = TaskOptions(
                deadline: options.deadline, priority: options.priority, version: options.version)
            elements.deadline = nil
            if let limit = map.limit {
                elements.pools[ConcurrencyPool(task.name, capacity: limit, reach: .map)] = 1
            }
        }
        elementOptions = elements
        super.init(name: shared.plan.fullName(task.name), options: whole)
    }

    /// Creates an element of a mapped task.
    private init(
        _ element: FlowElement, of map: String, _ number: Int, in shared: Shared, _ options: TaskOptions,
        _ bag: Content
    ) {
        self.shared = shared
        self.number = number
        elementBag = element.bag(bag)
        elementOptions = options
        super.init(name: FlowElement.name(element.key, in: map), options: options)
    }

    private var task: FlowTask { shared.plan.order[number] }
    private var plan: FlowPlan { shared.plan }

    override var resultType: (any Sendable.Type)? { FlowResult.self }

    override func run() async throws -> (any Sendable)? {
        if let elementBag {
            let result = try await result(elementBag)
            try plan.keep(element: result, of: task)
            return result
        }
        let (plan, task) = (plan, task)
        var bag = plan.bag(of: prerequisites)
        // A task that runs last and was asked for by itself gets the summary of an empty run.
        if task.runs.isLast {
            bag[.run] = try FlowRunSummary(of: [], in: plan, began: plan.setting.clock.now, fatal: []).json()
        }
        if let reason = try plan.skips(task, after: prerequisites, bag) {
            return FlowResult(skipped: reason)
        }
        // The first step gets the result of the first prerequisite.
        if let value = task.firstValue { bag[.flow] = bag[.result(of: value.name)] }
        guard task.map == nil else { return try await elements(bag) }
        let result = try await result(bag)
        try plan.checkWritten(by: task)
        return result
    }

    /// Runs the steps or the file.
    private func result(_ bag: Content) async throws -> FlowResult {
        let (plan, task) = (plan, task)
        guard task.flow != nil else { return try await FlowChain(task, in: plan).run(bag, named: name) }
        return try await plan.hidingSecrets { try await file(bag) }
    }

    private func file(_ bag: Content) async throws -> FlowResult {
        let (plan, task) = (plan, task)
        var inner = try plan.inner(of: task, named: name, bag)
        let saved = SavedFiles()
        if plan.isKept { inner.setting.saved = { saved.add($0) } }
        let workflow = try inner.workflow()
        latest.withLock { $0 = workflow }
        let reporting = plan.followElements(workflow, name)
        do {
            // The engine's time limit would start the next task while the inner tasks are still being stopped.
            _ = try await FlowTimeLimit.run(within: task.policies.timeout, plan.setting.clock) { _ in
                try await workflow.run()
            }
        } catch let error as WorkflowError where error.code == .tasksFailed {
            await reporting?.value
            let failed = workflow.allTasks.first { $0.state == .failed }
            throw failed.map { FlowElementFailure(element: $0.name, underlying: $0.error) } ?? error
        } catch {
            // A workflow that was cancelled before its start never settles and reports no events.
            reporting?.cancel()
            await reporting?.value
            throw error
        }
        await reporting?.value
        let budget = ExpressionBudget()
        let value = try inner.outcome(in: inner.bag(of: workflow.allTasks), budget)
        try plan.keep(.json(value), of: task, made: budget.made)
        return FlowResult(value: .json(value), files: saved.all)
    }

    /// Runs the steps or the file for each element.
    private func elements(_ bag: Content) async throws -> FlowResult {
        let (plan, task, attempt) = (plan, task, currentAttempt)
        let elements = try FlowElement.list(of: task, plan, bag)
        if task.grows { return try await growing(elements, bag) }
        try plan.take(elements.count, elementsOf: task)
        guard !elements.isEmpty else { return try FlowResult(elements: []) }
        let inner = Workflow(
            name, options: WorkflowOptions(keptAttempts: plan.keptAttempts, clock: plan.setting.clock))
        let done = Locked(0)
        let tasks = try elements.map { element in
            let run = try inner.add(
                FlowWorkTask(element, of: name, number, in: shared, elementOptions, bag))
            run.onEnd { _ in
                let count = done.withLock { count in
                    count += 1
                    return count
                }
                attempt.report(
                    progress: Double(count) / Double(elements.count), "\(count) of \(elements.count)")
            }
            return run
        }
        return try await results(of: inner, in: inner) { tasks }
    }

    /// Runs the steps for each element, and for all elements that they find.
    private func growing(_ elements: [FlowElement], _ bag: Content) async throws -> FlowResult {
        let (plan, task) = (plan, task)
        guard let map = task.map else { return try FlowResult(elements: []) }
        let outer = Workflow(
            options: WorkflowOptions(keptAttempts: plan.keptAttempts, clock: plan.setting.clock))
        let body = FlowElement.growing(task, in: plan) { bag }
        let done = Locked(0)
        let grown = try outer.grow(
            name, from: elements, key: \.key, atMost: map.mostElements, depth: map.depth,
            options: elementOptions
        ) { [weak self] element, more in
            let result = try await body(element, more)
            let count = done.withLock { count in
                count += 1
                return count
            }
            // The number of all elements is unknown.
            self?.currentAttempt.report(progress: 0, "\(count) done")
            return result
        }
        guard let growing = grown.task as? SubworkflowTask else { return try FlowResult(elements: []) }
        let inner = growing.subworkflow
        let result = try await results(of: inner, in: outer) { inner.allTasks }
        plan.warnIfFull(task, growing)
        return result
    }

    /// Runs a map's elements and returns their results.
    private func results(
        of elements: Workflow, in runner: Workflow, _ tasks: () -> [WorkflowTask]
    ) async throws -> FlowResult {
        latest.withLock { $0 = elements }
        let reporting = plan.followElements(elements, name)
        // Each task's outcome is checked below.
        do { try await runner.run() } catch let error as WorkflowError where error.code == .tasksFailed {}
        await reporting?.value
        let kept = try kept(of: tasks())
        try plan.checkWritten(by: task)
        return try FlowResult(elements: kept)
    }

    /// Returns the results of the elements; failures that are allowed are reported, unless all have failed.
    private func kept(of tasks: [WorkflowTask]) throws -> [FlowResult] {
        let kept = tasks.compactMap { $0.result as? FlowResult }
        let failed = tasks.filter { !($0.result is FlowResult) }
        guard let first = failed.first else { return kept }
        let failure = FlowElementFailure(element: first.name, underlying: first.error)
        guard task.map?.skipsFailures == true else { throw failure }
        if kept.isEmpty { throw failure.underlying ?? failure }
        for element in failed {
            plan.warn("\(element.name) is left out: \(ErrorText.line(element.error, of: element.name))")
        }
        return kept
    }

    /// Returns the workflow that a task would run, or each element of a map, for drawings before the run.
    static func planned(inside task: WorkflowTask) -> Workflow? {
        (task as? FlowWorkTask).flatMap { $0.plan.planned($0.task) }
    }

    /// Returns the workflow that the latest attempt of a task of a flow runs inside it, if there is one.
    static func workflow(inside task: WorkflowTask) -> Workflow? {
        (task as? FlowWorkTask)?.latest.withLock { $0 }
    }
}
