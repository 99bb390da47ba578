import SteplineSupport

extension Workflow {
    /// Cancels every task as ``cancel(_:includingCleanups:)`` does; false if the workflow has left that generation.
    func cancel(_ reason: CancellationReason, in generation: UInt64) -> Bool {
        let isCurrent = core.change { machine, turn in
            guard machine.generation == generation else { return false }
            machine.willDo(.willCancel, .willCancel, &turn)
            _ = machine.cancelAll(reason, includingCleanups: false, &turn)
            return true
        }
        if isCurrent { core.deliveries.withdrawHere() }
        return isCurrent
    }
}

extension WorkflowMachine {
    /// Starts the workflow for an attempt of the task around it, if it can go on.
    ///
    /// - Returns: How the workflow stands; nil if it has left that generation, and nothing was done.
    mutating func enter(
        _ attempt: UInt32, in generation: UInt64, takesBack: Bool, isMap: Bool,
        _ turn: inout WorkflowTurn
    ) -> SubworkflowTask.Inside? {
        guard self.generation == generation else { return nil }
        self.generation += 1
        enclosingAttempt = attempt
        // A run that goes on after it was killed has taken them back before.
        if takesBack { takeBackFailed(&turn) }
        let inside = tasks.count > 0 && !isMap ? standing : .open
        if case .open = inside {
            willDo(.willStart, .willStart, &turn)
            startRun(nil, &turn)
        }
        return inside
    }

    /// Takes tasks back if one is Failed or Cancelled.
    mutating func takeBackFailed(_ turn: inout WorkflowTurn) {
        if tasks.counts[.failed] > 0 || hasCancelled { takeBack(&turn) }
    }

    /// Takes the Failed and Cancelled tasks back, without starting them.
    mutating func takeBack(_ turn: inout WorkflowTurn) {
        willDo(.willRetry, .willRetry, &turn)
        retryAll(starts: false, &turn)
    }

    /// How a task ends that this workflow is inside of.
    var standing: SubworkflowTask.Inside {
        if isComplete { return .finished }
        if let earliestFailure { return .failed(earliestFailure) }
        return hasCancelled ? .cancelled : .open
    }

    /// The failure of the whole of the earliest date; of equal ones, the first added.
    private var earliestFailure: TaskFailure? {
        let first = fatalFailures.min { (tasks.endedAt($0), $0) < (tasks.endedAt($1), $1) }
        return first.flatMap { tasks.failure($0) }
    }
}
