import SteplineEngine

extension TaskAttempt {
    var core: WorkflowCore? { home?.core }

    /// Finishes the task with a result; returns false if the attempt isn't Executing.
    @discardableResult
    public func finish(with result: (any Sendable)? = nil) -> Bool { end(.finished(result)) }

    /// Fails the attempt; the task's retry policy decides whether another one follows.
    ///
    /// - Parameter error: The error.
    /// - Returns: False, without any change, if the attempt isn't Executing.
    @discardableResult
    public func fail(with error: (any Error)? = nil) -> Bool {
        guard let core else { return false }
        return end(core.failure(of: place, error))
    }

    /// Whether the attempt was stopped by a cancellation, a reset or a time-out.
    public var isCancelled: Bool {
        guard let core, !isEnded else { return false }
        // The machine decides: the attempt isn't running once it was stopped or followed by another one.
        return core.look { !$0.tasks[place].attempt.isRunning(attempt) }
    }

    /// Calls `handler` once when the attempt is stopped; at once if it was stopped already.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        guard let core, !isEnded else { return }
        core.onStop(place, attempt, handler)
    }

    /// Reports the progress of the body.
    ///
    /// - Parameters:
    ///   - fraction: The completed fraction, clamped to 0...1.
    ///   - text: A description of the progress.
    public func report(progress fraction: Double, _ text: String? = nil) {
        let fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
        core?.change { $0.report(fraction, text, place, attempt, &$1) }
    }

    /// Reports the end of a part of the body, such as a step of a pipeline.
    package func report(step name: String) {
        core?.change { machine, turn in
            if machine.tasks[place].attempt.isRunning(attempt) { machine.logEvent(.step(name), place, turn) }
        }
    }

    @discardableResult
    func end(_ end: AttemptResult, tellsElsewhere: Bool = false) -> Bool {
        guard let core else { return false }
        // Marked before the transaction: the deinitializer must not report an unended attempt.
        isEndedHere()
        return core.change(tellsElsewhere: tellsElsewhere) { $0.end(place, attempt, end, &$1) }
    }
}

extension WorkflowMachine {
    /// Records the progress of a body and restarts its watchdog.
    fileprivate mutating func report(
        _ fraction: Double, _ text: String?, _ number: Int32, _ attempt: UInt32, _ turn: inout WorkflowTurn
    ) {
        // A late report of an earlier attempt must not change the current progress.
        guard tasks[number].attempt.isRunning(attempt) else { return }
        rare.progress[number] = RareTaskState.Progress(attempt: attempt, fraction: fraction)
        logEvent(.progress(fraction, text), number, turn)
        restartWatchdog(number, &turn)
    }
}
