/// The parser of `squeue` output, one line for each job.
enum SlurmJobs {
    /// The requested format: the job's state and its reason to wait.
    static let format = "%T|%r"

    /// The reasons that mean "none given yet".
    private static let noReasons: Set<Substring> = ["None", ""]
    private static let running: Set<Substring> = ["RUNNING"]
    /// The states that still occupy or will get a machine; stopped jobs continue later.
    private static let waiting: Set<Substring> = [
        "PENDING", "CONFIGURING", "SUSPENDED", "STOPPED", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD",
        "SPECIAL_EXIT", "RESV_DEL_HOLD", "RESIZING", "SIGNALING",
    ]

    /// Counts running and waiting jobs.
    static func tally(_ text: String) -> WorkerTally {
        var tally = WorkerTally()
        var reasons: Set<Substring> = []
        for line in text.split(whereSeparator: \.isNewline) {
            let cells = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            guard let state = cells.first else { continue }
            // Any other state belongs to a job that is ending or has ended.
            if running.contains(state) {
                tally.running += 1
            } else if waiting.contains(state) {
                tally.waiting += 1
                if cells.count > 1, !noReasons.contains(cells[1]) { reasons.insert(cells[1]) }
            }
        }
        tally.reasons = reasons.sorted().map(String.init)
        return tally
    }
}
