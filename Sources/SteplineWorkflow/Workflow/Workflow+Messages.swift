public import SteplineSupport

extension Workflow {
    /// Starts every Ready task, and with them all waiting tasks; returns at once.
    ///
    /// On a running workflow this starts the Ready tasks; on a finished one it does nothing.
    ///
    /// - Throws: `.checkFailed` with all errors of ``check()``; nothing was run.
    public func start() throws { try start(answering: nil) }

    /// Starts the workflow and adds a waiter in the same transaction, so an earlier end isn't the waiter's answer.
    func start(answering runner: OneShot<RunReport>?) throws {
        let errors = check().filter { $0.severity == .error }
        if !errors.isEmpty { throw WorkflowError(checkFailedFor: name, errors) }
        core.keepValues()
        core.willDo(.willStart)
        core.change { $0.startRun(runner, &$1) }
    }

    /// Cancels every task that hasn't ended.
    ///
    /// Tasks that have ended keep their outcomes and report them. No further success or failure callback begins on the
    /// queue of this call.
    ///
    /// - Parameters:
    ///   - reason: The reason, which the outcomes carry.
    ///   - includingCleanups: Whether cleanups are cancelled too.
    /// - Returns: Whether a task was cancelled.
    @discardableResult
    public func cancel(
        _ reason: CancellationReason = .requested, includingCleanups: Bool = false
    ) -> Bool {
        core.willDo(.willCancel)
        let isFirst = core.change { $0.cancelAll(reason, includingCleanups: includingCleanups, &$1) }
        // After the transaction: callbacks of earlier ends may still wait on this queue.
        core.deliveries.withdrawHere()
        return isFirst
    }

    /// Cancels every task as ``cancel(_:includingCleanups:)`` does; returns false if the workflow has left that
    /// generation.
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

    /// Runs all Failed and Cancelled tasks again, their dependents, and the tasks that used their failures.
    ///
    /// All other results are kept.
    public func retry() {
        core.keepValues()
        core.willDo(.willRetry)
        core.change { $0.retryRun(&$1) }
    }

    /// Runs a task and everything downstream again; all other results are kept.
    ///
    /// - Parameter task: The task.
    /// - Throws: `.foreignPrerequisite` if the task isn't in this workflow.
    public func rerun(from task: WorkflowTask) throws {
        guard let number = task.place(in: core) else {
            throw WorkflowError(.foreignPrerequisite, task.name, "is not in \(name)")
        }
        core.keepValues()
        core.change { $0.rerun(from: number, &$1) }
    }

    /// Releases the bodies, results and callbacks of tasks that have ended, if all their dependents have ended.
    ///
    /// Use this method in long-lived workflows. A forgotten task keeps its end, and positions don't change. It receives
    /// no messages, doesn't count for a run, and can't be a prerequisite (`.forgotten`). Its result isn't available to
    /// its dependents any more.
    ///
    /// - Parameter tasks: The tasks.
    /// - Returns: The tasks that can't be forgotten.
    @discardableResult
    public func forget(_ tasks: some Sequence<WorkflowTask>) -> [WorkflowTask] {
        let given = Array(tasks)
        let places = given.compactMap { $0.place(in: core) }
        // Tasks of other workflows have no position here and are ignored.
        let (kept, left) = core.change { $0.forget(places, &$1) }
        // Without the lock: leaving releases user objects.
        for (task, past) in left { task.leave(core, with: past) }
        let keptOnes = Set(kept)
        return given.filter { task in task.place(in: core).map(keptOnes.contains) ?? false }
    }
}
