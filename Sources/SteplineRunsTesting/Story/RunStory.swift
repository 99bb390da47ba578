package import SteplineWorkflow

/// All that a run came to, and all that was told of it: of its workflow, and of those inside.
package struct RunStory: Sendable {
    /// A task as the run has left it.
    struct Task: Sendable {
        let name: String
        /// The names of what it follows.
        let prerequisites: [String]
        let options: TaskOptions
        /// Whether it has a body, which limits count.
        let hasBody: Bool
        /// The result of one that runs a workflow is that, and no value.
        let isSubworkflow: Bool
        let end: WorkflowTask.Snapshot
    }

    /// One workflow of the run.
    struct Part: Sendable {
        /// The names of what is around it; empty for the workflow that was run.
        let name: String
        let maximumConcurrency: Int?
        /// By the names that a run knows them by.
        let tasks: [String: Task]
        /// What was told of it and its tasks.
        let events: [(name: String, event: WorkflowEvent)]
    }

    let parts: [Part]

    /// Runs a workflow, and listens.
    package static func of(_ workflow: Workflow, _ run: () async throws -> Void) async throws -> RunStory {
        let listeners = Listener.all(of: workflow)
        try await run()
        var parts: [Part] = []
        for listener in listeners { parts.append(try await listener.part()) }
        return RunStory(parts: parts)
    }

    /// All tasks of all workflows, by name.
    var tasks: [String: Task] { parts.reduce(into: [:]) { $0.merge($1.tasks) { first, _ in first } } }
}

/// Listens to one workflow of a run, from before it begins.
private struct Listener {
    private let workflow: Workflow
    /// The names of what is around it.
    private let name: String
    /// What stands before the names of its tasks.
    private let prefix: String
    private let events: any AsyncSequence<WorkflowEvent, Never> & Sendable

    private init(_ workflow: Workflow, name: String, prefix: String) {
        self.workflow = workflow
        self.name = name
        self.prefix = prefix
        events = workflow.events
    }

    /// Those to a workflow, and to all that are inside.
    static func all(of workflow: Workflow, name: String = "", prefix: String = "") -> [Listener] {
        let own = Listener(workflow, name: name, prefix: prefix)
        return (0..<workflow.taskCount).reduce(into: [own]) { listeners, number in
            let task = workflow.journalTask(number)
            guard let inner = task.subworkflow else { return }
            let name = prefix + task.name
            listeners += all(of: inner, name: name, prefix: task.isTransparent ? prefix : name + "/")
        }
    }

    /// What was told until now, and how the tasks stand.
    func part() async throws -> RunStory.Part {
        let known = (0..<workflow.taskCount).map(workflow.journalTask)
        let tasks = zip(known, workflow.allTasks).map { known, task in
            RunStory.Task(
                name: prefix + known.name, prerequisites: known.prerequisites.map { name(of: $0) },
                options: task.options, hasBody: known.subworkflow == nil && !known.isCondition,
                isSubworkflow: known.subworkflow != nil && !known.isTransparent, end: task.snapshot)
        }
        // What is told of it is told last.
        let mark = try workflow.add(WorkflowTask(name: "end of the story")).taskID
        var told: [(name: String, event: WorkflowEvent)] = []
        for await event in events {
            if event.task == mark { break }
            told.append((event.task == nil ? name : prefix + event.name, event))
        }
        return RunStory.Part(
            name: name, maximumConcurrency: workflow.options.maximumConcurrency,
            tasks: Dictionary(tasks.map { ($0.name, $0) }) { first, _ in first }, events: told)
    }

    private func name(of number: Int) -> String { prefix + workflow.journalTask(number).name }
}
