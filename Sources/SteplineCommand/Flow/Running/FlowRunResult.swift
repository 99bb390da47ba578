import SteplineJSON
import SteplinePipeline
import SteplineWorkflow

/// The choice of the value that a run prints: the file's `result`, or the value of a task.
///
/// Made before the run, so that a wrong `--print` runs nothing, and a wanted task runs even if its files are up to
/// date.
enum FlowRunResult: Sendable {
    /// The file's `result`.
    case file
    /// The value of a task that the user asked for.
    case task(String)
    /// The value of the only last task, if it runs.
    case last(String)
    /// The values of several last tasks by name, without tasks that end with a file.
    case lasts([String])

    /// Chooses the result of a run.
    ///
    /// - Parameters:
    ///   - name: The task that `--print` names; nil without that option.
    ///   - plan: The plan with all its tasks.
    ///   - graph: The plan's tasks.
    ///   - wish: The tasks to run.
    /// - Throws: A `UsageError` if the named task has no value in this run.
    init(
        printing name: String? = nil, of plan: FlowPlan, _ graph: FlowTaskGraph,
        running wish: FlowSelection.Wish = .init()
    ) throws(UsageError) {
        let selected = graph.selected(wish)
        if let name {
            guard let task = graph.task(name) else {
                throw UsageError(
                    "--print: \(plan.setting.source.name) has no task '\(name)'"
                        + Guess.question(name, among: plan.file.tasks.map(\.name)))
            }
            guard !task.runs.isLast else {
                throw UsageError("--print: '\(name)' runs after other tasks and has no value")
            }
            guard selected.contains(name) || !wish.isOnly && graph.withValues(selected).contains(name) else {
                throw UsageError("--print: '\(name)' isn't run; name it as a TASK as well")
            }
            self = .task(name)
        } else if plan.file.result != nil, wish.tasks.isEmpty {
            self = .file
        } else {
            let ends = graph.ends(among: selected)
            let printed = ends.filter { graph.task($0)?.endsWithFile == false }
            self = ends.count == 1 ? .last(ends[0]) : .lasts(printed)
        }
    }

    /// Whether the file or the user asks for the value, so that its absence is a failure.
    var isAsked: Bool {
        switch self {
        case .file, .task: true
        case .last, .lasts: false
        }
    }

    /// The tasks whose values the result needs, so that they run even if their files are up to date.
    func neededTasks(of file: FlowFile) -> Set<String> {
        switch self {
        case .file: Set(file.result?.references.compactMap(\.name.task) ?? [])
        case .task(let name): [name]
        case .last, .lasts: []
        }
    }

    /// Returns the value after a run; nil if none of several last tasks has a value.
    ///
    /// - Throws: An error with the reason why the value is missing.
    func value(in workflow: Workflow, of plan: FlowPlan) throws -> FlowValue? {
        let tasks = Dictionary(workflow.allTasks.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        switch self {
        case .lasts(let names):
            return try Self.object(names) { name in
                guard let task = tasks[name], task.state == .finished else { return nil }
                return FlowResult.value(of: task.result)
            }
        case .task(let name), .last(let name):
            guard let task = tasks[name], task.state == .finished else {
                throw FlowError(Self.reason(tasks[name], name))
            }
            if let reason = (task.result as? FlowResult)?.skipped {
                throw FlowError("task '\(name)' was skipped: \(reason)")
            }
            guard let value = FlowResult.value(of: task.result) else {
                throw FlowError("the value of task '\(name)' can't be read")
            }
            return value
        case .file:
            let needed = neededTasks(of: plan.file).sorted()
            let allowed = plan.allowedFailures
            for name in needed {
                let task = tasks[name]
                guard task?.state != .finished, !allowed.contains(name) || task?.state != .failed else {
                    continue
                }
                throw FlowError(Self.reason(task, name))
            }
            let bag = plan.bag(of: needed.compactMap { tasks[$0] })
            return .json(try plan.outcome(in: bag, ExpressionBudget()))
        }
    }

    /// Returns an object with the values of tasks; nil if none has a value.
    static func object(
        _ names: [String], hint: (String) -> String = { "--print \($0) writes it" },
        _ value: (String) throws -> FlowValue?
    ) throws -> FlowValue? {
        let members = try names.compactMap { name in
            try value(name).map { value in
                do { return (key: name, value: try value.json()) } catch {
                    throw FlowError("task '\(name)': \(error); \(hint(name))")
                }
            }
        }
        return members.isEmpty ? nil : .json(try JSON(members: members))
    }

    private static func reason(_ task: WorkflowTask?, _ name: String) -> String {
        switch task?.state {
        case .failed: "task '\(name)' failed"
        case .cancelled: "task '\(name)' was cancelled"
        case nil: "task '\(name)' is up to date, and was not run"
        default: "task '\(name)' was not run"
        }
    }
}

extension FlowTask {
    /// Whether the task's value is in a file that its last step makes, copies, moves or deletes.
    fileprivate var endsWithFile: Bool {
        switch steps.last?.verb {
        case .save, .append, .file: true
        default: false
        }
    }
}

extension FlowExpression.Name {
    /// The task that the name refers to; nil for other names.
    fileprivate var task: String? { if case .task(let name) = self { name } else { nil } }
}
