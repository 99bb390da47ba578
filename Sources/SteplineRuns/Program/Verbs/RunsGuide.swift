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
        case .running:
            "process \(run.owner.process) on \(run.owner.host) runs it since \(RunsText.date(run.owner.since)); "
                + "to stop it for good: \(cancel(run))"
        case .interrupted, .incomplete: "to go on: \(resume(run))"
        case .failed: "to run what failed again: \(retry(run))"
        case .cancelled: "it stays cancelled; to run it all the same: \(retry(run))"
        case .finished: "there is nothing left to do"
        }
    }
}
