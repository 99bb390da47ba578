import SteplineEngine

extension TaskAttempt {
    var core: WorkflowCore? { home?.core }

    /// Finishes the task with this result; false if the attempt isn't the one Executing.
    @discardableResult
    public func finish(with result: (any Sendable)? = nil) -> Bool { end(.finished(result)) }

    /// Fails the attempt; false if it isn't the one Executing.
    ///
    /// The task's retry policy decides whether another follows.
    @discardableResult
    public func fail(with error: (any Error)? = nil) -> Bool {
        guard let core else { return false }
        return end(core.failure(of: place, error))
    }

    /// Whether it was stopped: by a cancel, a reset or a time-out.
    public var isCancelled: Bool {
        guard let core, !isEnded else { return false }
        return core.look { !$0.tasks[place].attempt.isRunning(attempt) }
    }

    /// Calls `handler` once when the attempt is stopped, at once if it was.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        guard let core, !isEnded else { return }
        core.onStop(place, attempt, handler)
    }

    /// Tells how far the body is, from 0 to 1; ignored once the attempt is over.
    public func report(progress fraction: Double, _ text: String? = nil) {
        let fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
        core?.change { $0.report(fraction, text, place, attempt, &$1) }
    }

    /// Tells that a part of the body has ended, such as a step of a pipeline.
    package func report(step name: String) {
        core?.change { machine, turn in
            if machine.tasks[place].attempt.isRunning(attempt) { machine.logEvent(.step(name), place, turn) }
        }
    }

    @discardableResult
    func end(_ end: AttemptResult, tellsElsewhere: Bool = false) -> Bool {
        guard let core else { return false }
        isEndedHere()
        return core.change(tellsElsewhere: tellsElsewhere) { $0.end(place, attempt, end, &$1) }
    }
}

extension WorkflowMachine {
    /// A body has told how far it is, by which the watchdog starts again.
    fileprivate mutating func report(
        _ fraction: Double, _ text: String?, _ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn
    ) {
        guard tasks[number].attempt.isRunning(attempt) else { return }
        rare.progress[number] = RareTaskState.Progress(attempt: attempt, fraction: fraction)
        logEvent(.progress(fraction, text), number, turn)
        restartWatchdog(number, &turn)
    }
}
