import SteplineSupport

/// A task that runs a whole workflow, and ends as that does.
///
///     SubworkflowTask(name: "photos", subworkflow: inner)
///
/// It finishes with the workflow when that is finished, fails with the error of the first task in there that
/// fails, and is cancelled when one in there is. Its own cancel, reset and retry reach all tasks inside; messages
/// to tasks inside don't reach this one. Its result is the workflow.
public final class SubworkflowTask: WorkflowTask, @unchecked Sendable {  // the counter is locked
    /// The workflow inside.
    public let subworkflow: Workflow

    /// How many cancels of the workflow inside this task is in the middle of.
    private let cancelling = Locked(0)

    /// Makes a task that owns a workflow.
    public init(name: String? = nil, subworkflow: Workflow, options: TaskOptions = .init()) {
        self.subworkflow = subworkflow
        super.init(name: name, options: options)
    }

    /// Resets the workflow inside.
    public override func didReset() { subworkflow.reset() }

    /// Takes the Failed and Cancelled tasks inside back, without starting them.
    public override func didRetry() {
        subworkflow.core.willDo(.willRetry)
        subworkflow.core.drive { $0.sendToAll(.retry, starts: false) }
    }

    /// Cancels the workflow inside, without hearing of it.
    func cancelInside(because reason: String?) {
        cancelling.withLock { $0 += 1 }
        subworkflow.cancel(because: reason)
        cancelling.withLock { $0 -= 1 }
    }

    override var nodeFlags: TaskNode.Flags { .subworkflow }

    /// The workflow's type: that is the result.
    public override var resultType: (any Sendable.Type)? { Workflow.self }

    override var canHaveIssues: Bool { true }

    /// What the check finds in the workflow inside.
    public override func findIssues() -> [WorkflowIssue] {
        let empty =
            subworkflow.taskCount == 0
            ? [WorkflowIssue(.emptySubworkflow, .warning, task: nil, name: "", "its subworkflow is empty")]
            : []
        return empty
            + subworkflow.check().map { issue in
                WorkflowIssue(
                    issue.code, issue.severity, task: nil, name: "",
                    "inside \(subworkflow.name): \(issue)"
                )
            }
    }

    override func willJoin(_ workflow: Workflow) throws {
        var outer: Workflow? = workflow
        while let around = outer {
            if around === subworkflow {
                throw WorkflowError(.nestingCycle, name, "\(subworkflow.name) would be inside itself")
            }
            outer = around.enclosingTask?.workflow
        }
        let isFree = subworkflow.core.surroundings.withLock { inside in
            guard inside.enclosingTask == nil || inside.enclosingTask === self else { return false }
            inside.enclosingTask = self
            return true
        }
        guard isFree else {
            throw WorkflowError(.subworkflowInUse, name, "\(subworkflow.name) belongs to another task")
        }
        subworkflow.core.machine.withLock { $0.isEnclosed = true }
    }

    // MARK: Running

    override func begin(_ attempt: TaskAttempt) -> Bool {
        let (isComplete, isEmpty, failure, isCancelled) = subworkflow.core.machine.withLock { inside in
            (
                inside.isComplete, inside.nodes.isEmpty, inside.earliestFailure,
                inside.counts[.cancelled] > 0
            )
        }
        if isComplete, !isEmpty {
            attempt.finish(with: subworkflow)
        } else if let failure {
            attempt.fail(with: failure.error)
        } else if isCancelled {
            cancelAlone()
        } else {
            // Kept by number, as the attempt itself would keep this task.
            attempt.isEndedByNumber()
            subworkflow.core.surroundings.withLock { $0.enclosingAttempt = attempt.number }
            do {
                try subworkflow.start()
            } catch {
                attempt.fail(with: error)
            }
        }
        return false
    }

    /// Something has happened inside.
    func hear(_ news: InsideNews) {
        switch news {
        case .finished: end(.finished(subworkflow))
        case .failed(let error):
            let (core, index) = face.withLock { ($0.core, $0.index) }
            end(.failed(TaskFailure(error), retryAfter: core?.retryDelay(of: index, error)))
        case .cancelled:
            guard cancelling.withLock({ $0 == 0 }) else { return }
            let isOpen = [State.pending, .ready, .executing].contains(state)
            if isOpen { cancelAlone() }
        }
    }

    private func end(_ end: AttemptEnd) {
        let (core, index) = face.withLock { ($0.core, $0.index) }
        let number = subworkflow.core.surroundings.withLock { $0.enclosingAttempt }
        guard let core, number > 0, isExecuting else { return }
        core.end(index, attempt: UInt32(truncatingIfNeeded: number), end)
    }

    /// Cancels this task and its dependents, and leaves alone what is inside.
    private func cancelAlone() {
        let (core, index) = face.withLock { ($0.core, $0.index) }
        core?.drive { $0.send(.cancel, to: [index], sparingInside: true) }
    }
}

/// What a workflow tells the task that it runs in.
enum InsideNews: Sendable {
    case finished
    case failed((any Error)?)
    case cancelled
}

extension WorkflowState {
    /// The failure of the earliest date; of equal ones, the first added.
    fileprivate var earliestFailure: TaskFailure? {
        guard counts[.failed] > 0 else { return nil }
        let failed = nodes.indices.filter { nodes[$0].state == .failed }
        let first = failed.min { (parts[$0].endedAt, $0) < (parts[$1].endedAt, $1) }
        return first.flatMap { parts[$0].value as? TaskFailure }
    }
}
