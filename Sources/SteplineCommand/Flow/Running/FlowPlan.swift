import Foundation
import SteplineJSON
import SteplinePipeline
import SteplineRequests
import SteplineSupport
import SteplineWorkflow

/// A workflow file without mistakes, and all it takes to run it.
struct FlowPlan: Sendable {
    let file: FlowFile
    /// The tasks such that each comes behind those it waits for.
    private(set) var order: [FlowTask]
    var setting: FlowSetting
    /// The tasks that may be skipped: for their own condition, or for one before them whose result they take.
    let skippable: Set<String>
    /// How many tasks and elements run at once.
    var jobs: Int
    private(set) var cancelsOthersOnFailure: Bool
    /// How many attempts of each task a report of the run can tell of.
    var keptAttempts = 0
    /// Whether the run is kept in a store: elements of maps are tasks then, and results say which files were written.
    var isKept = false
    /// When the run was begun, if not by who makes the workflow.
    var began: Date?
    /// The versions of tasks, where they aren't 1.
    var versions: [String: Int] = [:]
    /// Whether a task's time-out is counted by its chain, which leaves out the time in a host's line, and waits for the
    /// ends of programs.
    var countsTimeInChains = false
    /// The plans of the files that tasks of it, and of those, run, by their paths.
    var library: [String: FlowPlan] = [:]
    /// The files that its tasks run, by the tasks' names: keys of `library`.
    var inclusions: [String: String] = [:]
    /// What stands before the names of its tasks, if it is run by a task of another file.
    var prefix = ""
    /// The places that all tasks and elements take, those of files that are run included.
    var places: ConcurrencyPool?
    /// What all results of the run may take together; nil where nothing is run.
    var room: FlowRunRoom?
    /// The file's pools, by their names: those of a file that is run hold for all its runs together.
    private var pools: [String: ConcurrencyPool] = [:]
    /// Whether somebody looks at steps, one by one.
    var followsSteps = false
    /// Told of every pipeline before it starts, with the name of its task or element, and the places of the steps
    /// that only serve others; what it returns ends when all has been told of it.
    var follow: @Sendable (AnyPipeline, String, _ hidden: Set<Int>) -> Task<Void, Never>? = { _, _, _ in nil }
    /// Told of the elements of a map, as tasks of a workflow of their own, with the map's name; what it returns
    /// ends when all has been told of them.
    var followElements: @Sendable (Workflow, String) -> Task<Void, Never>? = { _, _ in nil }
    /// Told which task is skipped, and why.
    var skip: @Sendable (_ task: String, _ reason: String) -> Void = { _, _ in }
    /// Told what went wrong without making anything fail.
    var warn: @Sendable (String) -> Void = { _ in }

    init(_ file: FlowFile, order: [FlowTask], setting: FlowSetting) {
        self.file = file
        self.order = order
        self.setting = setting
        skippable = Self.skippable(order)
        jobs = file.concurrency ?? 8
        cancelsOthersOnFailure = file.cancelsOthersOnFailure
    }

    /// Says for all files what a failure does to the tasks that don't depend on it.
    mutating func cancelOthersOnFailure(_ doesCancel: Bool) {
        cancelsOthersOnFailure = doesCancel
        for path in library.keys { library[path]?.cancelsOthersOnFailure = doesCancel }
    }

    /// Leaves out all tasks but these.
    mutating func select(_ tasks: Set<String>) { order = order.filter { tasks.contains($0.name) } }

    /// Throws if a file isn't there that a task says it writes.
    func checkWritten(by task: FlowTask) throws {
        guard !task.writes.isEmpty else { return }
        guard let path = FlowFiles(setting).missing(of: task).first else { return }
        throw FlowError("it has not written \(path), as writes says")
    }

    /// The workflow that does what the file says; what `add` refuses is thrown.
    func workflow() throws -> Workflow {
        guard let places else {
            // A pool, and not a bound of the workflow's, so that elements of maps count, and maps that wait don't.
            var plan = self
            plan.places = ConcurrencyPool("jobs", capacity: jobs, reach: .run)
            plan.room = FlowRunRoom()
            plan.makePools()
            return try plan.workflow()
        }
        var taken = [places: 1]
        // A file that is run has its own bound beside that of all.
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

    /// The secrets that its tasks name, and its result.
    var neededSecrets: [FlowSecret] {
        var names: Set<String> = []
        for reference in order.flatMap(\.references) + (file.result?.references ?? []) {
            if case .secret(let name) = reference.name { names.insert(name) }
        }
        return file.secrets.filter { names.contains($0.name) }
    }

    /// Whether the elements of a mapped task are tasks of the workflow, so that each is kept as a step.
    ///
    /// They aren't where something is said about all of them: whether they are run, how long they may take, which may
    /// fail.
    private func keepsElements(of task: FlowTask) -> Bool {
        guard isKept, let map = task.map, task.flow == nil, !skippable.contains(task.name) else {
            return false
        }
        return !map.skipsFailures && policies(of: task).deadline == nil
    }

    /// How a task is run, as the file's defaults have it where it says nothing.
    ///
    /// They are for tasks with steps: a file that a task runs has its own.
    func policies(of task: FlowTask) -> FlowPolicies {
        task.flow == nil ? task.policies.filled(from: file.defaults) : task.policies
    }

    /// Lets as many requests go to one host as tasks run, unless the file says otherwise.
    ///
    /// No time-out counts the time in which a load waits for its host.
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
        let map = try workflow.map(
            task.name, over: elements, limit: task.map?.limit, options: how, key: \.key
        ) { [self] element in
            let result = try await element.run(task, self, bag(of: list.prerequisites))
            try keep(element: result, of: task)
            return FlowResult(value: .json(try result.value.forFormulas()), files: result.files)
        }.task
        if let inner = (map as? SubworkflowTask)?.subworkflow { _ = followElements(inner, task.name) }
        return map
    }

    private func taskOptions(of task: FlowTask, _ places: [ConcurrencyPool: Int]) -> TaskOptions {
        let policies = policies(of: task)
        // What runs a file waits for its tasks, each of which takes a place.
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
