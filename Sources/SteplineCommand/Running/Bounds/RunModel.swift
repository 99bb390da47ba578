import SteplineSupport
import SteplineWorkflow

/// A run as it was measured: what each task and element took, what it waited for, and the bounds it ran within.
struct RunModel: Sendable {
    /// Something that lets only so many run at once.
    struct Bound: Sendable, Hashable {
        /// What it is called for people: `--jobs`, `pool "disk"`, `limit of "pages"`.
        let name: String
        let capacity: Int
    }

    /// A body that ran.
    struct Job: Sendable {
        let name: String
        /// How long it took, apart from its waits; in nanoseconds.
        var work: Int64
        /// How long it waited, for hosts and for the turns of its steps.
        var waits: [FlowWaits.Cause: Int64] = [:]
        /// The jobs that come before it.
        var before: [Int]
        /// How many places it took, by the bound's position.
        var places: [Int: Int] = [:]
    }

    private(set) var bounds: [Bound] = []
    private(set) var jobs: [Job] = []

    /// What a flow's run has measured, if its workflow has kept attempts.
    init(_ workflow: Workflow, of plan: FlowPlan, waits: [String: [FlowWaits.Cause: Duration]]) {
        bounds = [Bound(name: "jobs", capacity: plan.jobs)]
        let graph = workflow.graph { FlowInclusionTask.workflow(inside: $0) }
        var pools: [String: [String: Int]] = [:]
        add(graph, of: plan, behind: [], [0: 1], waits, &pools)
    }

    /// What a run of tasks alone has measured, so many of which run at once.
    init(_ workflow: Workflow, jobs capacity: Int, waits: [String: [FlowWaits.Cause: Duration]]) {
        bounds = [Bound(name: "jobs", capacity: capacity)]
        let graph = workflow.graph()
        for task in graph.tasks {
            add(job(task, graph.edges[task.prerequisites].map(\.prerequisite), [0: 1], waits))
        }
    }

    /// Adds the tasks of a file, each of which takes some places; gives the jobs that they are.
    @discardableResult
    private mutating func add(
        _ graph: WorkflowGraph, of plan: FlowPlan, behind start: [Int], _ common: [Int: Int],
        _ waits: [String: [FlowWaits.Cause: Duration]], _ pools: inout [String: [String: Int]]
    ) -> [Int] {
        let places = places(of: plan, &pools)
        // What stands for each task of the graph once it has been added.
        var added: [Int] = []
        let tasks = Dictionary(plan.order.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for task in graph.tasks {
            let before = start + graph.edges[task.prerequisites].map { added[$0.prerequisite] }
            guard let own = tasks[plan.own(task.name)] else {
                added.append(add(Job(name: task.name, work: Self.work(of: task), before: before)))
                continue
            }
            // A file that is run takes no place: its tasks do.
            var taken = own.flow == nil ? common : [:]
            for (pool, weight) in plan.policies(of: own).pools {
                if let place = places[pool.name] { taken[place] = weight }
            }
            if let limit = own.map?.limit {
                taken[bounds.count] = 1
                bounds.append(Bound(name: named("the limit of", own.name, of: plan), capacity: limit))
            }
            var elements: [Int] = []
            for element in own.map == nil ? [task] : task.inside?.tasks ?? [] {
                if let inside = element.inside, let inner: FlowPlan = plan.planned(own, told: element.name) {
                    let jobs = add(inside, of: inner, behind: before, bounded(by: inner), waits, &pools)
                    elements.append(add(Job(name: element.name, work: 0, before: before + jobs)))
                } else {
                    elements.append(add(job(element, before, taken, waits)))
                }
            }
            // The map ends with the last of its elements.
            added.append(
                own.map == nil
                    ? elements[0] : add(Job(name: task.name, work: 0, before: before + elements)))
        }
        return added
    }

    /// The positions of a file's pools, which hold for all tasks that run the file.
    private mutating func places(
        of plan: FlowPlan, _ pools: inout [String: [String: Int]]
    ) -> [String: Int] {
        let file = plan.setting.source.name
        if let known = pools[file] { return known }
        var places: [String: Int] = [:]
        for pool in plan.file.pools {
            places[pool.name] = bounds.count
            bounds.append(Bound(name: named("the pool", pool.name, of: plan), capacity: pool.capacity))
        }
        pools[file] = places
        return places
    }

    /// What a bound is called that stands in a file, which is named if another runs it.
    private func named(_ what: String, _ name: String, of plan: FlowPlan) -> String {
        "\(what) \"\(name)\"" + (plan.prefix.isEmpty ? "" : " of \(plan.setting.source.name)")
    }

    /// The places that all tasks of a file take that is run, as it may have a bound of its own.
    private mutating func bounded(by plan: FlowPlan) -> [Int: Int] {
        guard let capacity = plan.file.concurrency else { return [0: 1] }
        let taken = [0: 1, bounds.count: 1]
        bounds.append(Bound(name: "the concurrency of \(plan.setting.source.name)", capacity: capacity))
        return taken
    }

    /// Makes a model of what a test says.
    init(bounds: [Bound], jobs: [Job]) {
        self.bounds = bounds
        self.jobs = jobs
    }

    @discardableResult
    private mutating func add(_ job: Job) -> Int {
        jobs.append(job)
        return jobs.count - 1
    }

    private func job(
        _ task: WorkflowGraph.Task, _ before: [Int], _ places: [Int: Int],
        _ waits: [String: [FlowWaits.Cause: Duration]]
    ) -> Job {
        var job = Job(name: task.name, work: Self.work(of: task), before: before, places: places)
        for (cause, time) in waits[task.name] ?? [:] {
            let wait = min(Int64(time.seconds * 1e9), job.work)
            job.work -= wait
            job.waits[cause] = wait
        }
        return job
    }

    /// What all attempts took, with the waits between them.
    private static func work(of task: WorkflowGraph.Task) -> Int64 {
        task.attempts.reduce(0) { sum, attempt in
            let waits = attempt.waits.filter { $0.cause == .backoff }
            return sum + max(attempt.endTime - attempt.beginTime, 0)
                + waits.reduce(Int64(0)) { $0 + Int64($1.duration.seconds * 1e9) }
        }
    }
}
