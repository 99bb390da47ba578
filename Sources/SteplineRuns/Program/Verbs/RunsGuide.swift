/// The commands that continue a run, for messages.
package struct RunsGuide: Sendable {
    /// Returns the command that resumes a run.
    package let resume: @Sendable (RunRecord) -> String
    /// Returns the command that runs failed steps again.
    package let retry: @Sendable (RunRecord) -> String
    /// Returns the command that cancels a run.
    package let cancel: @Sendable (RunRecord) -> String

    package init(
        resume: @escaping @Sendable (RunRecord) -> String, retry: @escaping @Sendable (RunRecord) -> String,
        cancel: @escaping @Sendable (RunRecord) -> String
    ) {
        self.resume = resume
        self.retry = retry
        self.cancel = cancel
    }

    /// Returns a line with the next possible command.
    func next(_ run: RunRecord) -> String {
        switch run.state {
        case .waiting: "to run it here: \(resume(run))"
        case .running:
            "process \(run.owner.process) on \(run.owner.host) has run it since \(RunsText.date(run.owner.since)); "
                + "to cancel the run: \(cancel(run))"
        case .interrupted, .incomplete: "to continue: \(resume(run))"
        case .failed: "to retry failed steps: \(retry(run))"
        case .cancelled: "the run stays cancelled; to run it anyway: \(retry(run))"
        case .finished: "there is nothing left to do"
        }
    }
}
