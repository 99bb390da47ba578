import SteplineSupport

extension Workflow {
    /// Where a workflow stands.
    public enum Status: Sendable, Hashable {
        /// It has not been started.
        case idle
        /// Something is going on.
        case running
        /// Nothing more happens by itself.
        case settled(RunReport.Outcome)
    }

    /// Where the workflow stands.
    public var status: Status {
        core.machine.withLock { machine in
            if machine.isRunning || !machine.isSettled { return .running }
            let isTouched = machine.begun > 0 || machine.counts[.cancelled] > 0
            return isTouched ? .settled(machine.outcome) : .idle
        }
    }

    /// Whether some task without dependents isn't Finished; false for an empty workflow.
    public var hasUnfinishedTasks: Bool { core.machine.withLock { !$0.isComplete } }

    /// Whether some task is Failed.
    public var hasFailedTasks: Bool { core.machine.withLock { $0.counts[.failed] > 0 } }

    /// How many tasks there are.
    public var taskCount: Int { core.machine.withLock { $0.nodes.count } }

    /// How many tasks are in a state.
    public func taskCount(in state: WorkflowTask.State) -> Int {
        core.machine.withLock { $0.counts[state] }
    }

    /// All tasks, in order of adding.
    ///
    /// Makes objects for those that were added as closures.
    public var allTasks: [WorkflowTask] { core.tasks { machine in Array(0..<machine.count) } }

    /// The tasks without prerequisites, in order of adding.
    public var tasksWithNoPrerequisites: [WorkflowTask] {
        core.tasks { machine in (0..<machine.count).filter { machine.parts[Int($0)].edgeCount == 0 } }
    }

    /// The tasks without dependents, in order of adding.
    public var tasksWithNoDependents: [WorkflowTask] {
        core.tasks { machine in (0..<machine.count).filter { machine.isLeaf(Int($0)) } }
    }

    /// All tasks of a name, in order of adding.
    public func tasks(named name: String) -> [WorkflowTask] {
        core.tasks { machine in (0..<machine.count).filter { machine.name(Int($0)) == name } }
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
        task.place(in: core).map { place in core.tasks { $0.dependents(place) } }
    }

    /// Everything that happens from now on, in one order, until the workflow is gone.
    ///
    /// Each use of this property is a reader of its own. A reader doesn't keep the workflow alive; without
    /// readers no event is made.
    public var events: some AsyncSequence<WorkflowEvent, Never> & Sendable {
        let stream = EventStream<WorkflowEvent>()
        core.machine.withLock { machine in
            machine.readers.add(stream)
            machine.isHeard = true
        }
        return stream
    }
}

extension WorkflowState {
    func prerequisites(_ number: Int32) -> [Int32] {
        edgeRange(Int(number)).map { edges[$0].prerequisite }.sorted()
    }

    func unkeyedPrerequisites(_ number: Int32) -> [Int32] {
        tables.unkeyed[number] ?? prerequisites(number)
    }

    func dependents(_ number: Int32) -> [Int32] {
        var found: [Int32] = []
        var next = nodes[Int(number)].firstDependent
        while next >= 0 {
            if !edges[Int(next)].guards { found.append(edges[Int(next)].dependent) }
            next = edges[Int(next)].next
        }
        return found
    }
}

extension WorkflowCore {
    /// The objects of tasks, made where there are none yet.
    func tasks(_ choose: (inout WorkflowState) -> [Int32]) -> [WorkflowTask] {
        machine.withLock(choose).map { task($0) }
    }

    /// The object of a task, made if there is none yet.
    func task(_ number: Int32) -> WorkflowTask {
        if let task = machine.withLock({ $0.object(number) }) { return task }
        let made = ClosureTask(in: self, at: number)
        return machine.withLock { machine in
            if let task = machine.object(number) { return task }
            if !machine.isDisbanded { machine.tables.faces[number] = made }
            return made
        }
    }

    func keyedPrerequisites(_ number: Int32) -> [PrerequisiteKey: WorkflowTask] {
        (machine.withLock { $0.tables.keys[number] } ?? [:]).mapValues { task($0) }
    }
}
