import SteplineSupport

extension Workflow {
    /// The state of a workflow.
    public enum Status: Sendable, Hashable {
        /// The workflow was not started.
        case idle
        /// Tasks are running or continue by themselves.
        case running
        /// No task continues by itself.
        case settled(RunReport.Ending)
    }

    /// The current state.
    public var status: Status {
        core.look { $0.status }
    }

    /// Whether a task without dependents isn't Finished; false for an empty workflow.
    public var hasUnfinishedTasks: Bool { core.look { !$0.isComplete } }

    /// Whether a task is Failed.
    public var hasFailedTasks: Bool { core.look { $0.tasks.counts[.failed] > 0 } }

    /// The number of tasks, without forgotten ones.
    public var taskCount: Int { core.look { Int($0.tasks.count) - $0.tasks.forgotten } }

    /// Returns the number of tasks in a state.
    public func taskCount(in state: WorkflowTask.State) -> Int {
        core.look { $0.tasks.counts[state] }
    }

    /// All tasks without forgotten ones, in order of addition.
    ///
    /// Creates objects for the tasks that were added as closures.
    public var allTasks: [WorkflowTask] { core.tasks { $0.known } }

    /// The tasks without prerequisites, in order of addition.
    public var tasksWithNoPrerequisites: [WorkflowTask] {
        core.tasks { $0.roots() }
    }

    /// The tasks without dependents, in order of addition.
    public var tasksWithNoDependents: [WorkflowTask] {
        core.tasks { $0.leaves() }
    }

    /// Returns all tasks with a name, in order of addition.
    public func tasks(named name: String) -> [WorkflowTask] {
        core.tasks { machine in machine.known.filter { machine.name($0) == name } }
    }

    /// Returns the direct prerequisites of a task; nil for a task outside this workflow.
    public func prerequisites(of task: WorkflowTask) -> [WorkflowTask]? {
        task.place(in: core).map { place in core.tasks { $0.prerequisites(place) } }
    }

    /// Returns the prerequisites of a task without keys; nil for a task outside this workflow.
    public func unkeyedPrerequisites(of task: WorkflowTask) -> [WorkflowTask]? {
        task.place(in: core).map { place in core.tasks { $0.unkeyedPrerequisites(place) } }
    }

    /// Returns the prerequisites of a task by key; nil for a task outside this workflow.
    public func keyedPrerequisites(of task: WorkflowTask) -> [PrerequisiteKey: WorkflowTask]? {
        task.place(in: core).map { core.keyedPrerequisites($0) }
    }

    /// Returns the direct dependents of a task; nil for a task outside this workflow.
    public func dependents(of task: WorkflowTask) -> [WorkflowTask]? {
        task.place(in: core).map { place in core.tasks { $0.graph.dependents(of: place) } }
    }

    /// The events from now on, in order, until the workflow is freed.
    ///
    /// Each use of this property adds a reader. Readers don't retain the workflow. Without readers no event is created.
    public var events: some AsyncSequence<WorkflowEvent, Never> & Sendable {
        let stream = EventStream<WorkflowEvent>()
        core.add(stream)
        return stream
    }
}

extension WorkflowCore {
    /// Returns the objects of tasks, created on demand.
    func tasks(_ choose: (inout WorkflowMachine) -> [Int32]) -> [WorkflowTask] {
        // Objects are created in transactions of their own, because the lock isn't recursive.
        look(choose).map { task($0) }
    }

    /// Returns the object of a task, created on demand.
    func task(_ number: Int32) -> WorkflowTask {
        if let task = look({ $0.object(number) }) { return task }
        let options = look { $0.rare.options[number] } ?? TaskOptions()
        let made = ClosureTask(in: self, at: number, options: options)
        // Another thread may have created the object meanwhile: use that one.
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
