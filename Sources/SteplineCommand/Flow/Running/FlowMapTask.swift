import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineSupport
import SteplineWorkflow

/// A task that runs its steps for each element of a list, and has the results as a list.
final class FlowMapTask: WorkflowTask, @unchecked Sendable {  // what isn't constant is locked
    private let shared: FlowSharedPlan
    /// Its place in the order of the plan.
    private let number: Int
    private let elementOptions: TaskOptions
    private let latest = Locked<Workflow?>(nil)

    init(_ number: Int, of shared: FlowSharedPlan, elementOptions: TaskOptions) {
        self.shared = shared
        self.number = number
        let (plan, task) = (shared.plan, shared.plan.order[number])
        // The time for all of them is the task's; each attempt of an element has its own.
        let options = TaskOptions(
            deadline: elementOptions.deadline, priority: elementOptions.priority,
            version: elementOptions.version)
        var own = elementOptions
        own.deadline = nil
        if let limit = task.map?.limit {
            own.pools[ConcurrencyPool(task.name, capacity: limit, reach: .map)] = 1
        }
        self.elementOptions = own
        super.init(name: plan.told(task.name), options: options)
    }

    private var task: FlowTask { shared.plan.order[number] }
    private var plan: FlowPlan { shared.plan }

    override var resultType: (any Sendable.Type)? { FlowResult.self }

    /// The elements of the latest attempt, as tasks of a workflow; nil before the first.
    var elements: Workflow? { latest.withLock { $0 } }

    /// What each element runs, if that is a file.
    var planned: Workflow? { plan.planned(task) }

    override func run() async throws -> (any Sendable)? {
        let attempt = currentAttempt
        let (plan, task) = (plan, task)
        let bag = plan.bag(of: prerequisites)
        if let reason = try plan.skips(task, behind: prerequisites, bag) {
            return FlowResult(skipped: reason)
        }
        let elements = try FlowElement.list(of: task, plan, bag)
        try plan.take(elements.count, elementsOf: task)
        let inner = Workflow(
            name, options: WorkflowOptions(keptAttempts: plan.keptAttempts, clock: plan.setting.clock))
        let room = FlowMapRoom(task, plan)
        let done = Locked(0)
        @Sendable func tellProgress() {
            let count = done.withLock { count in
                count += 1
                return count
            }
            attempt.report(
                progress: Double(count) / Double(elements.count), "\(count) of \(elements.count)")
        }
        let isPlain = plan.isPlain(task)
        let results = try elements.map { element in
            if task.flow != nil {
                let run = FlowInclusionTask(element, of: number, in: shared, elementOptions, bag, room)
                run.onEnd { _ in tellProgress() }
                return try TaskRef(inner.add(run), as: FlowResult.self)
            }
            if isPlain {
                let run = FlowPlainTask(
                    number, of: shared, elementOptions,
                    element: .init(element: element, bag: bag, room: room, ended: tellProgress))
                return try TaskRef(inner.add(run), as: FlowResult.self)
            }
            return try inner.add(FlowElement.name(element.key, in: name), options: elementOptions) {
                [shared, number] in
                defer { tellProgress() }
                try room.begin()
                return try room.keep(
                    try await element.run(shared.plan.order[number], shared.plan, bag))
            }
        }
        guard !results.isEmpty else { return try FlowResult(elements: []) }
        latest.withLock { $0 = inner }
        let told = plan.followElements(inner, name)
        // Its outcome is that of the elements, each of which is looked at below.
        do { try await inner.run() } catch let error as WorkflowError where error.code == .tasksFailed {}
        await told?.value
        let kept = try kept(of: results)
        try plan.checkWritten(by: task)
        // The list is made beside what its elements have left.
        try plan.keep(room.taken, of: task)
        return try FlowResult(elements: kept)
    }

    /// The results of the elements; of those that have failed and may, it is told, unless all have failed.
    private func kept(of results: [TaskRef<FlowResult>]) throws -> [FlowResult] {
        var kept: [FlowResult] = []
        var failures: [FlowElementFailure] = []
        for result in results {
            if let value = result.result {
                kept.append(value)
            } else {
                failures.append(FlowElementFailure(element: result.task.name, underlying: result.task.error))
            }
        }
        guard let first = failures.first else { return kept }
        guard task.map?.skipsFailures == true else { throw first }
        if kept.isEmpty { throw first.underlying ?? first }
        for result in results where result.result == nil {
            plan.warn(
                "\(result.task.name) is left out: \(ErrorText.line(result.task.error, of: result.task.name))")
        }
        return kept
    }

    /// What is wrong with the pipeline that each element runs.
    override func findIssues() -> [CheckIssue] {
        task.flow == nil && !plan.isPlain(task) ? FlowChain(task, in: plan).issues() : []
    }
}

/// An element of a mapped task has failed, and so has the task.
struct FlowElementFailure: LocalizedError, ErrorWithCause, CustomStringConvertible {
    let element: String
    let underlying: (any Error)?

    /// Of a task inside another that has failed, the innermost is told, whose name has those of the others in front.
    init(element: String, underlying: (any Error)?) {
        let inner = underlying as? FlowElementFailure
        self.element = inner?.element ?? element
        self.underlying = inner?.underlying ?? underlying
    }

    var description: String {
        "\(element): \(underlying.map { ErrorText.line($0, of: element) } ?? "was cancelled")"
    }
    var errorDescription: String? { description }
}
