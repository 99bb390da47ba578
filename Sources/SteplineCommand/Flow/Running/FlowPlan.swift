import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRequests
import SteplineSupport
import SteplineWorkflow

/// A checked workflow file with everything needed to run it.
///
/// `workflow()` builds the executable workflow: a `FlowWorkTask` for each task of `order`, the tasks that run last, and
/// for durable runs a `FlowListTask` for each map. Plans of included files are in `library`. A value: copies are
/// changed freely before the run.
struct FlowPlan: Sendable {
    let file: FlowFile
    /// The tasks in topological order.
    private(set) var order: [FlowTask]
    var setting: FlowSetting
    /// The tasks that may be skipped, because of their condition or a skipped prerequisite.
    let skippable: Set<String>
    /// The number of tasks and elements that run at the same time.
    var jobs: Int
    private(set) var cancelsOthersOnFailure: Bool
    /// The number of attempts kept for reports of the run.
    var keptAttempts = 0
    /// Whether the run is durable: elements of maps are tasks, and results include written files.
    var isKept = false
    /// The begin of the run; nil for the time at which the workflow is built.
    var began: Date?
    /// The versions of tasks that differ from 1.
    var versions: [String: Int] = [:]
    /// Whether the chain enforces a task's time limit, which excludes waits for a host and includes the end of
    /// programs.
    var countsTimeInChains = false
    /// The plans of all included files, by path.
    var library: [String: FlowPlan] = [:]
    /// The paths of included files by task; keys of `library`.
    var inclusions: [String: String] = [:]
    /// The prefix of task names in an included file.
    var prefix = ""
    /// The slots shared by all tasks and elements, those of included files too.
    var places: ConcurrencyPool?
    /// The memory limit of all results of the run; nil without a run.
    var room: FlowRunRoom?
    /// The file's pools by name; the pools of an included file are shared by all its runs.
    private var pools: [String: ConcurrencyPool] = [:]
    /// Whether events of single steps are observed.
    var followsSteps = false
    /// Called with each pipeline before it starts, the name of its task, and the positions of auxiliary steps.
    ///
    /// The returned Swift task ends after all events were reported.
    var follow: @Sendable (AnyPipeline, String, _ hidden: Set<Int>) -> Task<Void, Never>? = { _, _, _ in nil }
    /// Called with the workflow of a map's elements and the map's name.
    ///
    /// The returned Swift task ends after all events were reported.
    var followElements: @Sendable (Workflow, String) -> Task<Void, Never>? = { _, _ in nil }
    /// Called with each skipped task and the reason.
    var skip: @Sendable (_ task: String, _ reason: String) -> Void = { _, _ in }
    /// Called with problems that don't fail the run.
    var warn: @Sendable (String) -> Void = { _ in }

    init(_ file: FlowFile, order: [FlowTask], setting: FlowSetting) {
        self.file = file
        self.order = order
        self.setting = setting
        skippable = Self.skippable(order)
        jobs = file.concurrency ?? 8
        cancelsOthersOnFailure = file.cancelsOthersOnFailure
    }

    /// Sets for all files whether a failure cancels independent tasks.
    mutating func cancelOthersOnFailure(_ doesCancel: Bool) {
        cancelsOthersOnFailure = doesCancel
        for path in library.keys { library[path]?.cancelsOthersOnFailure = doesCancel }
    }

    /// Keeps only the given tasks.
    mutating func select(_ tasks: Set<String>) { order = order.filter { tasks.contains($0.name) } }

    /// Runs one task or element at a time if the files have growing maps, whose elements are ordered by discovery.
    mutating func runInOrderIfGrowing() {
        let plans = [self] + library.values
        if plans.contains(where: { $0.order.contains(where: \.grows) }) { jobs = 1 }
    }

    /// Throws if a declared output of a task doesn't exist.
    func checkWritten(by task: FlowTask) throws {
        guard !task.writes.isEmpty else { return }
        guard let path = FlowFiles(setting).missing(of: task).first else { return }
        throw FlowError("it has not written \(path), as writes says")
    }

    /// Builds the workflow; throws the errors of `add`.
    func workflow() throws -> Workflow {
        guard let places else {
            // A pool instead of the workflow's limit: elements of maps count, and waiting maps don't.
            var plan = self
            plan.places = ConcurrencyPool("jobs", capacity: jobs, reach: .run)
            plan.room = FlowRunRoom()
            plan.makePools()
            return try plan.workflow()
        }
        var taken = [places: 1]
        // An included file has a limit of its own in addition.
        if !prefix.isEmpty, let bound = file.concurrency {
            taken[ConcurrencyPool("concurrency", capacity: bound, reach: .file)] = 1
        }
        let options = WorkflowOptions(
            onFailure: cancelsOthersOnFailure ? .cancelOthers : .finishOthers, requiresUniqueNames: true,
            deadline: file.deadline, keptAttempts: keptAttempts, clock: setting.clock)
        let workflow = Workflow(file.name, options: options)
        var made: [String: WorkflowTask] = [:]
        let shared = FlowWorkTask.Shared(self)
        for (number, task) in order.enumerated() where !task.runs.isLast {
            let how = taskOptions(of: task, taken)
            if keepsElements(of: task) {
                made[task.name] = try addKept(task, how, to: workflow, after: made)
                continue
            }
            made[task.name] = try workflow.add(
                FlowWorkTask(number, of: shared, how), prerequisites: task.after.compactMap { made[$0.name] },
                allowingFailureOf: task.allowFailure.compactMap { made[$0.name] })
        }
        try addLast(to: workflow, of: shared, after: made) { taskOptions(of: $0, taken) }
        return workflow
    }

    private mutating func makePools() {
        pools = Dictionary(
            file.pools.map { ($0.name, ConcurrencyPool($0.name, capacity: $0.capacity)) },
            uniquingKeysWith: { $1 })
        for path in library.keys { library[path]?.makePools() }
    }

    /// The secrets used by the selected tasks and by the result.
    var neededSecrets: [FlowSecret] {
        var names: Set<String> = []
        for reference in order.flatMap(\.references) + (file.result?.references ?? []) {
            if case .secret(let name) = reference.name { names.insert(name) }
        }
        return file.secrets.filter { names.contains($0.name) }
    }

    /// Returns whether a map's elements are tasks of the workflow, so that each is stored as a step.
    ///
    /// They aren't if a policy applies to all elements together: a condition, a time limit, or permitted failures.
    private func keepsElements(of task: FlowTask) -> Bool { isKept && storesElements(of: task) }

    /// Returns whether the elements of a task's map are steps of their own in a durable run.
    func storesElements(of task: FlowTask) -> Bool {
        guard let map = task.map, task.flow == nil, !skippable.contains(task.name) else { return false }
        return !map.skipsFailures && policies(of: task).deadline == nil
    }

    /// Returns the policies of a task, completed by the file's defaults.
    ///
    /// Defaults apply to tasks with steps only: an included file has its own.
    func policies(of task: FlowTask) -> FlowPolicies {
        task.flow == nil ? task.policies.filled(from: file.defaults) : task.policies
    }

    /// Adjusts the limits per host to the number of tasks, unless the file sets them.
    ///
    /// Time limits exclude the time in which a load waits for its host.
    mutating func settleLimits() {
        let limits = setting.connections.perHost
        countsTimeInChains =
            limits.connections != nil || limits.requestsPerSecond != nil
            || file.tasks.contains { $0.steps.contains(where: \.isProgram) }
        if limits.connections == nil { setting.connections.perHost.connections = jobs }
    }

    private func addKept(
        _ task: FlowTask, _ how: TaskOptions, to workflow: Workflow, after made: [String: WorkflowTask]
    ) throws -> WorkflowTask {
        let list = FlowListTask(task, in: self)
        try workflow.add(
            list, prerequisites: task.after.compactMap { made[$0.name] },
            allowingFailureOf: task.allowFailure.compactMap { made[$0.name] })
        let elements = try TaskRef(list, as: [FlowElement].self)
        let map =
            if task.grows {
                try workflow.grow(
                    task.name, from: elements, key: \.key, limit: task.map?.limit,
                    atMost: task.map?.mostElements, depth: task.map?.depth, options: how,
                    body: FlowElement.growing(task, in: self) { [self] in bag(of: list.prerequisites) }
                ).task
            } else {
                try workflow.map(
                    task.name, over: elements, limit: task.map?.limit, options: how, key: \.key
                ) { [self] element in
                    try await element.run(task, self, bag(of: list.prerequisites))
                }.task
            }
        guard let grown = map as? SubworkflowTask else { return map }
        _ = followElements(grown.subworkflow, task.name)
        if task.grows {
            grown.onEnd { [self, weak grown] _ in
                if let grown { warnIfFull(task, grown) }
            }
        }
        return map
    }

    private func taskOptions(of task: FlowTask, _ places: [ConcurrencyPool: Int]) -> TaskOptions {
        let policies = policies(of: task)
        // A task that runs a file needs no slot: its inner tasks take slots.
        var taken = task.flow == nil ? places : [:]
        for (pool, weight) in policies.pools {
            if let pool = pools[pool.name] { taken[pool] = weight }
        }
        let retry = policies.retry ?? .none
        return TaskOptions(
            retry: setting.waitsBeforeRetries ? retry : retry.withoutWaits,
            timeout: task.flow != nil || countsTimeInChains ? nil : policies.timeout,
            deadline: policies.deadline,
            priority: policies.priority ?? .normal, pools: taken, version: versions[task.name] ?? 1)
    }
}
