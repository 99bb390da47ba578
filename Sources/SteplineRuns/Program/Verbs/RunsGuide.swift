/// The commands by which a program's user goes on.
package struct RunsGuide: Sendable {
    /// What runs an interrupted run further.
    package let resume: @Sendable (RunRecord) -> String
    /// What runs the failed steps of a run again.
    package let retry: @Sendable (RunRecord) -> String
    /// What stops a run for good.
    package let cancel: @Sendable (RunRecord) -> String

    package init(
        resume: @escaping @Sendable (RunRecord) -> String, retry: @escaping @Sendable (RunRecord) -> String,
        cancel: @escaping @Sendable (RunRecord) -> String
    ) {
        self.resume = resume
        self.retry = retry
        self.cancel = cancel
    }

    /// What is to be done next, in a line.
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
