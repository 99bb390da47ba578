public import SteplineSupport

extension Workflow {
    /// Starts every Ready task, and with that all that waits for them; returns without waiting.
    ///
    /// Throws `.checkFailed` with all errors that ``check()`` finds; nothing has run then. On a running workflow
    /// it starts what is Ready; on a finished one it does nothing.
    public func start() throws { try start(answering: nil) }

    /// Starts, and takes in who waits for the end in the same instant: what settles before isn't its answer.
    func start(answering runner: OneShot<RunReport>?) throws {
        let errors = check().filter { $0.severity == .error }
        if !errors.isEmpty { throw WorkflowError(checkFailedFor: name, errors) }
        core.willDo(.willStart)
        core.change { $0.startRun(runner, &$1) }
    }

    /// Cancels every task that has not ended, except cleanups unless they are included; whether there was one.
    ///
    /// A task that had ended stands, and is told; only on a queue from which this is called no callback of a success or
    /// failure begins any more.
    @discardableResult
    public func cancel(
        _ reason: CancellationReason = .requested, includingCleanups: Bool = false
    ) -> Bool {
        core.willDo(.willCancel)
        let isFirst = core.change { $0.cancelAll(reason, includingCleanups: includingCleanups, &$1) }
        core.deliveries.withdrawHere()
        return isFirst
    }

    /// Cancels every task as ``cancel(_:includingCleanups:)`` does; returns false if the workflow has left that generation.
    func cancel(_ reason: CancellationReason, in generation: UInt64) -> Bool {
        let isCurrent = core.change { machine, turn in
            guard machine.generation == generation else { return false }
            machine.announce(.willCancel, &turn)
            _ = machine.cancelAll(reason, includingCleanups: false, &turn)
            return true
        }
        if isCurrent { core.deliveries.withdrawHere() }
        return isCurrent
    }

    /// Puts every task back to the beginning, without results; starts nothing.
    public func reset() {
        core.willDo(.willReset)
        core.change { $0.resetAll(&$1) }
    }

    /// Runs all Failed and Cancelled tasks again, what waits for them, and what was made from their failures.
    ///
    /// All other results are kept.
    public func retry() {
        core.willDo(.willRetry)
        core.change { $0.retryRun(&$1) }
    }

    /// Runs a task and everything downstream of it again; all other results are kept.
    ///
    /// Throws `.foreignPrerequisite` if the task isn't in this workflow.
    public func rerun(from task: WorkflowTask) throws {
        guard let number = task.place(in: core) else {
            throw WorkflowError(.foreignPrerequisite, task.name, "is not in \(name)")
        }
        core.change { $0.rerun(from: number, &$1) }
    }

    /// Lets go of what tasks hold that have ended, if all that depends on them has: bodies, results, callbacks.
    ///
    /// For workflows that live long. Returns those that must be kept. A forgotten task stays as it has ended: no message
    /// reaches it, it doesn't count for a run, it can't be a prerequisite (`.forgotten`), and its result is gone for what
    /// depends on it. No position changes.
    @discardableResult
    public func forget(_ tasks: some Sequence<WorkflowTask>) -> [WorkflowTask] {
        let given = Array(tasks)
        let places = given.compactMap { $0.place(in: core) }
        let (kept, left) = core.change { $0.forget(places, &$1) }
        for (task, past) in left { task.leave(core, with: past) }
        let keptOnes = Set(kept)
        return given.filter { task in task.place(in: core).map(keptOnes.contains) ?? false }
    }
}
