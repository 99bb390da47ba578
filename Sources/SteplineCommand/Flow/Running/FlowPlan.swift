import SteplineJSON
import SteplinePipeline
import SteplineRequests
import SteplineSupport
import SteplineWorkflow

/// A workflow file without mistakes, and all it takes to run it.
struct FlowPlan: Sendable {
    let file: FlowFile
    /// The tasks such that each comes behind those it waits for.
    let order: [FlowTask]
    var setting: FlowSetting
    /// How many tasks and elements run at once.
    var jobs: Int
    var cancelsOthersOnFailure: Bool
    /// How many attempts of each task a report of the run can tell of.
    var keptAttempts = 0
    /// Whether the run is kept in a store: elements of maps are tasks then, and results say which files were written.
    var isKept = false
    /// The versions of tasks, where they aren't 1.
    var versions: [String: Int] = [:]
    /// Whether a task's time-out is counted by its chain, which leaves out the time in a host's line.
    var countsTimeInChains = false
    /// Told of every pipeline before it starts, with the name of its task.
    var follow: @Sendable (AnyPipeline, String) -> Void = { _, _ in }
    /// Told what went wrong without making anything fail.
    var warn: @Sendable (String) -> Void = { _ in }

    init(_ file: FlowFile, order: [FlowTask], setting: FlowSetting) {
        self.file = file
        self.order = order
        self.setting = setting
        jobs = file.concurrency ?? 8
        cancelsOthersOnFailure = file.cancelsOthersOnFailure
    }

    /// The workflow that does what the file says; what `add` refuses is thrown.
    func workflow() throws -> Workflow {
        let options = WorkflowOptions(
            onFailure: cancelsOthersOnFailure ? .cancelOthers : .finishOthers, requiresUniqueNames: true,
            deadline: file.deadline, keptAttempts: keptAttempts, clock: setting.clock)
        let workflow = Workflow(file.name, options: options)
        // A pool, and not a bound of the workflow's, so that elements of maps count, and maps that wait don't.
        let places = ConcurrencyPool("jobs", capacity: jobs)
        let pools = Dictionary(
            file.pools.map { ($0.name, ConcurrencyPool($0.name, capacity: $0.capacity)) },
            uniquingKeysWith: { $1 })
        var made: [String: WorkflowTask] = [:]
        for task in order {
            let how = taskOptions(of: task, pools, places)
            if keepsElements(of: task) {
                made[task.name] = try addKept(task, how, to: workflow, after: made)
                continue
            }
            let object =
                task.map == nil
                ? FlowChainTask(task, in: self, how) : FlowMapTask(task, in: self, elementOptions: how)
            made[task.name] = try workflow.add(
                object, prerequisites: task.after.compactMap { made[$0.name] },
                allowingFailureOf: task.allowFailure.compactMap { made[$0.name] })
        }
        return workflow
    }

    /// Whether the elements of a mapped task are tasks of the workflow, so that each is kept as a step.
    ///
    /// They aren't where something is said about all of them: how long they may take, which may fail.
    private func keepsElements(of task: FlowTask) -> Bool {
        guard isKept, let map = task.map else { return false }
        return !map.skipsFailures && policies(of: task).deadline == nil
    }

    /// How a task is run, as the file's defaults have it where it says nothing.
    func policies(of task: FlowTask) -> FlowPolicies { task.policies.filled(from: file.defaults) }

    /// Lets as many requests go to one host as tasks run, unless the file says otherwise, and has no time-out count
    /// the time in which a load waits for its host.
    mutating func settleLimits() {
        let limits = setting.connections.perHost
        countsTimeInChains = limits.connections != nil || limits.requestsPerSecond != nil
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
        return try workflow.map(
            task.name, over: elements, limit: task.map?.limit, options: how
        ) { [self] element in
            let result = try await element.run(task, self, list.prerequisiteBag())
            return FlowResult(value: .json(try result.value.forFormulas()), files: result.files)
        }.task
    }

    private func taskOptions(
        of task: FlowTask, _ pools: [String: ConcurrencyPool], _ places: ConcurrencyPool
    ) -> TaskOptions {
        let policies = policies(of: task)
        var taken: [ConcurrencyPool: Int] = [places: 1]
        for (pool, weight) in policies.pools {
            if let pool = pools[pool.name] { taken[pool] = weight }
        }
        return TaskOptions(
            retry: policies.retry ?? .none, timeout: countsTimeInChains ? nil : policies.timeout,
            deadline: policies.deadline,
            priority: policies.priority ?? .normal, pools: taken, version: versions[task.name] ?? 1)
    }
}
