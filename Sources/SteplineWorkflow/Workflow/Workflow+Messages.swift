import SteplineSupport

extension Workflow {
    /// Starts every Ready task, and with that all that waits for them; returns without waiting.
    ///
    /// Throws `.checkFailed` with all errors that ``check()`` finds; nothing has run then. On a running workflow
    /// it starts what is Ready; on a finished one it does nothing.
    public func start() throws { try start(answering: nil) }

    /// Starts, and takes in who waits for the end in the same instant: what settles before isn't its answer.
    func start(answering runner: OneShot<RunReport>?) throws {
        let errors = check().filter { $0.severity == .error }
        if !errors.isEmpty {
            var error = WorkflowError(.checkFailed, name, "the check failed, nothing was run")
            error.issues = errors
            throw error
        }
        core.willDo(.willStart)
        core.send { machine in
            if let runner { machine.tables.runners.append(runner) }
            machine.start()
        }
    }

    /// Cancels every task that has not ended, except cleanups unless they are included.
    public func cancel(because reason: String? = nil, includingCleanups: Bool = false) {
        core.willDo(.willCancel)
        core.send { $0.sendToAll(.cancel, because: reason, cleanups: includingCleanups) }
    }

    /// Puts every task back to the beginning, without results; starts nothing.
    public func reset() {
        core.willDo(.willReset)
        core.send { $0.sendToAll(.reset) }
    }

    /// Runs all Failed and Cancelled tasks again, and what waits for them; results are kept.
    public func retry() {
        core.willDo(.willRetry)
        core.send { machine in
            machine.isRunning = true
            machine.tables.isOverdue = false
            machine.cancelReason = nil
            machine.sendToAll(.retry)
            machine.armWorkflowDeadline()
            machine.settleNow()
        }
    }

    /// Runs a task and everything downstream of it again; all other results are kept.
    ///
    /// Throws `.foreignPrerequisite` if the task isn't in this workflow.
    public func rerun(from task: WorkflowTask) throws {
        guard let place = task.place(in: core) else {
            throw WorkflowError(.foreignPrerequisite, task.name, "is not in \(name)")
        }
        core.send { machine in
            machine.isRunning = true
            machine.send(.reset, to: [place])
        }
        core.send { machine in
            machine.startReady(Int(place))
            machine.settleNow()
        }
    }
}
