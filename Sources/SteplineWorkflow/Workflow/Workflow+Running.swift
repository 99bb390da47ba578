import SteplineSupport

extension Workflow {
    /// Starts or joins the workflow, waits until nothing more happens by itself, and reports.
    ///
    /// Either way it starts what is Ready, also where that was put back by a reset while the workflow ran.
    ///
    /// Throws a ``WorkflowError``: what `start()` throws; `.tasksFailed` with every failure in its report;
    /// `.cancelled`, `.deadlineExceeded` or `.incomplete`. Cancelling the Swift task that waits cancels the
    /// workflow, and it then throws `CancellationError` once no body is live any more.
    @discardableResult
    public func run() async throws -> RunReport {
        try Task.checkCancellation()
        let settled = OneShot<RunReport>()
        if !core.send({ $0.join(settled) }) { try start(answering: settled) }
        let report = await withTaskCancellationHandler {
            await settled.value
        } onCancel: {
            cancel(because: "the task that ran it was cancelled")
        }
        if report.outcome != .finished, Task.isCancelled { throw CancellationError() }
        try check(report)
        return report
    }

    private func check(_ report: RunReport) throws {
        let code: WorkflowError.Code
        let detail: String
        switch report.outcome {
        case .finished: return
        case .failed: (code, detail) = (.tasksFailed, "\(report.failures.count) task(s) failed")
        case .cancelled(let reason):
            (code, detail) = (.cancelled, "was cancelled\(reason.map { " (\($0))" } ?? "")")
        case .deadlineExceeded: (code, detail) = (.deadlineExceeded, "took longer than its deadline")
        case .incomplete:
            let names = report.notStarted.map(\.name).joined(separator: ", ")
            (code, detail) = (.incomplete, "nobody started \(names)")
        }
        var error = WorkflowError(code, name, detail)
        error.report = report
        throw error
    }
}

extension WorkflowState {
    /// Lets a call of `run()` wait for the end of a run that goes on already, with all that is Ready.
    fileprivate mutating func join(_ settled: OneShot<RunReport>) -> Bool {
        guard isRunning, !isSettled else { return false }
        tables.runners.append(settled)
        startAllReady()
        return true
    }
}
