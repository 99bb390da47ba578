package import SteplineWorkflow

/// The final states and all events of a run, for its workflow and the workflows inside it.
package struct RunTrace: Sendable {
    /// The final state of a task.
    struct Task: Sendable {
        let name: String
        /// The names of the prerequisites.
        let prerequisites: [String]
        let options: TaskOptions
        /// Whether the task has a body, which counts towards limits.
        let hasBody: Bool
        /// Whether the task runs a workflow, which is then its result instead of a value.
        let isSubworkflow: Bool
        /// Whether the task is a growing map, whose elements are found in an order that depends on timing.
        ///
        /// Only results that are numbers are compared without their order.
        let hasAnyOrder: Bool
        let end: WorkflowTask.Snapshot
    }

    /// A workflow of the run.
    struct Part: Sendable {
        /// The names of the enclosing tasks; empty for the top-level workflow.
        let name: String
        let maximumConcurrency: Int?
        /// The tasks by their names in the run.
        let tasks: [String: Task]
        /// The events of the workflow and its tasks.
        let events: [(name: String, event: WorkflowEvent)]
    }

    let parts: [Part]

    /// Runs a workflow and records its events.
    package static func of(_ workflow: Workflow, _ run: () async throws -> Void) async throws -> RunTrace {
        let listeners = Listener.all(of: workflow)
        try await run()
        var parts: [Part] = []
        for listener in listeners { parts.append(try await listener.part()) }
        return RunTrace(parts: parts)
    }

    /// All tasks of all workflows, by name.
    var tasks: [String: Task] { parts.reduce(into: [:]) { $0.merge($1.tasks) { first, _ in first } } }
}

/// Subscribes to the events of one workflow of a run before it starts.
private struct Listener {
    private let workflow: Workflow
    /// The names of the enclosing tasks.
    private let name: String
    /// The prefix of the names of the workflow's tasks.
    private let prefix: String
    private let events: any AsyncSequence<WorkflowEvent, Never> & Sendable

    private init(_ workflow: Workflow, name: String, prefix: String) {
        self.workflow = workflow
        self.name = name
        self.prefix = prefix
        events = workflow.events
    }

    /// Returns listeners to a workflow and all workflows inside it.
    static func all(of workflow: Workflow, name: String = "", prefix: String = "") -> [Listener] {
        let own = Listener(workflow, name: name, prefix: prefix)
        return (0..<workflow.taskCount).reduce(into: [own]) { listeners, number in
            let task = workflow.journalTask(number)
            guard let inner = task.subworkflow else { return }
            let name = prefix + task.name
            listeners += all(of: inner, name: name, prefix: task.isTransparent ? prefix : name + "/")
        }
    }

    /// Returns the events until now, and the states of the tasks.
    func part() async throws -> RunTrace.Part {
        let known = (0..<workflow.taskCount).map(workflow.journalTask)
        let tasks = zip(known, workflow.allTasks).map { known, task in
            RunTrace.Task(
                name: prefix + known.name, prerequisites: known.prerequisites.map { name(of: $0) },
                options: task.options, hasBody: known.subworkflow == nil && !known.isCondition,
                isSubworkflow: known.subworkflow != nil && !known.isTransparent,
                hasAnyOrder: known.growth != nil && known.subworkflow != nil, end: task.snapshot)
        }
        // Events arrive in order, so the addition of this task marks the end of those until now.
        let mark = try workflow.add(WorkflowTask(name: "end of the story")).taskID
        var reported: [(name: String, event: WorkflowEvent)] = []
        for await event in events {
            if event.task == mark { break }
            reported.append((event.task == nil ? name : prefix + event.name, event))
        }
        return RunTrace.Part(
            name: name, maximumConcurrency: workflow.options.maximumConcurrency,
            tasks: Dictionary(tasks.map { ($0.name, $0) }) { first, _ in first }, events: reported)
    }

    private func name(of number: Int) -> String { prefix + workflow.journalTask(number).name }
}
