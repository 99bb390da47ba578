import SteplineSupport

extension Workflow {
    /// Where a workflow stands.
    public enum Status: Sendable, Hashable {
        /// It has not been started.
        case idle
        /// Something is going on.
        case running
        /// Nothing more happens by itself.
        case settled(RunReport.Ending)
    }

    /// Where the workflow stands.
    public var status: Status {
        core.look { $0.status }
    }

    /// Whether some task without dependents isn't Finished; false for an empty workflow.
    public var hasUnfinishedTasks: Bool { core.look { !$0.isComplete } }

    /// Whether some task is Failed.
    public var hasFailedTasks: Bool { core.look { $0.tasks.counts[.failed] > 0 } }

    /// How many tasks there are, without those that were forgotten.
    public var taskCount: Int { core.look { Int($0.tasks.count) - $0.tasks.forgotten } }

    /// How many tasks are in a state.
    public func taskCount(in state: WorkflowTask.State) -> Int {
        core.look { $0.tasks.counts[state] }
    }

    /// All tasks that aren't forgotten, in order of adding.
    ///
    /// Makes objects for those that were added as closures.
    public var allTasks: [WorkflowTask] { core.tasks { $0.known } }

    /// The tasks without prerequisites, in order of adding.
    public var tasksWithNoPrerequisites: [WorkflowTask] {
        core.tasks { $0.roots() }
    }

    /// The tasks without dependents, in order of adding.
    public var tasksWithNoDependents: [WorkflowTask] {
        core.tasks { $0.leaves() }
    }

    /// All tasks of a name, in order of adding.
    public func tasks(named name: String) -> [WorkflowTask] {
        core.tasks { machine in machine.known.filter { machine.name($0) == name } }
    }

    /// The direct prerequisites of a task; nil for one that isn't in this workflow.
    public func prerequisites(of task: WorkflowTask) -> [WorkflowTask]? {
        task.place(in: core).map { place in core.tasks { $0.prerequisites(place) } }
    }

    /// The prerequisites of a task that have no key; nil for one that isn't in this workflow.
    public func unkeyedPrerequisites(of task: WorkflowTask) -> [WorkflowTask]? {
        task.place(in: core).map { place in core.tasks { $0.unkeyedPrerequisites(place) } }
    }

    /// The prerequisites of a task by key; nil for one that isn't in this workflow.
    public func keyedPrerequisites(of task: WorkflowTask) -> [PrerequisiteKey: WorkflowTask]? {
        task.place(in: core).map { core.keyedPrerequisites($0) }
    }

    /// The direct dependents of a task; nil for one that isn't in this workflow.
    public func dependents(of task: WorkflowTask) -> [WorkflowTask]? {
        task.place(in: core).map { place in core.tasks { $0.graph.dependents(of: place) } }
    }

    /// Everything that happens from now on, in one order, until the workflow is gone.
    ///
    /// Each use of this property is a reader of its own. A reader doesn't keep the workflow alive; without
    /// readers no event is made.
    public var events: some AsyncSequence<WorkflowEvent, Never> & Sendable {
        let stream = EventStream<WorkflowEvent>()
        core.add(stream)
        return stream
    }
}

extension WorkflowCore {
    /// The objects of tasks, made where there are none yet.
    func tasks(_ choose: (inout WorkflowMachine) -> [Int32]) -> [WorkflowTask] {
        look(choose).map { task($0) }
    }

    /// The object of a task, made if there is none yet.
    func task(_ number: Int32) -> WorkflowTask {
        let (task, options) = look { ($0.object(number), $0.rare.own[number]?.options ?? TaskOptions()) }
        if let task { return task }
        let made = ClosureTask(in: self, at: number, options: options)
        return look { machine in
            if let task = machine.object(number) { return task }
            if !machine.isDisbanded { machine.rare.objects[number] = made }
            return made
        }
    }

    func keyedPrerequisites(_ number: Int32) -> [PrerequisiteKey: WorkflowTask] {
        (look { $0.rare.keys[number] } ?? [:]).mapValues { task($0) }
    }
}
