import SteplineEngine
import SteplineSupport

/// Runs of the whole workflow.
extension WorkflowMachine {
    /// Starts all that is Ready; `runner` hears of the end, as what settled before isn't its answer.
    mutating func startRun(_ runner: OneShot<RunReport>?, _ turn: inout WorkflowTurn) {
        run.start()
        if let runner { run.add(runner) }
        if tasks.count == 0 { complete(&turn) }
        startAll(&turn)
        setWorkflowDeadline(&turn)
        run.settleAnew(workflow)
    }

    /// Lets `runner` wait for the end of a run that goes on already, with all that is Ready; false if none does.
    mutating func joinRun(_ runner: OneShot<RunReport>, _ turn: inout WorkflowTurn) -> Bool {
        guard run.isRunning, !run.isSettled else { return false }
        run.add(runner)
        startAll(&turn)
        return true
    }

    /// Runs all that is Failed or Cancelled again.
    mutating func retryRun(_ turn: inout WorkflowTurn) {
        run.start()
        retryAll(starts: true, &turn)
        setWorkflowDeadline(&turn)
        run.settleAnew(workflow)
    }

    /// Runs a task and all downstream again, in a run that begins by that.
    mutating func rerun(from number: Int32, _ turn: inout WorkflowTurn) {
        run.start()
        reset([number], &turn)
        start(number, &turn)
        setWorkflowDeadline(&turn)
        run.settleAnew(workflow)
    }

    /// Starts what is Ready; waits before another attempt go on.
    private mutating func startAll(_ turn: inout WorkflowTurn) {
        for number in terms.untold.keys.sorted() { start(number, &turn) }
        guard tasks.counts[.ready] > 0 else { return }
        for number in tasks.all where tasks[number].state == .ready {
            if tasks[number].attempt.phase != .backingOff { startInRun(number, &turn) }
        }
    }
}
