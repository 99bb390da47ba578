/// What `squeue` tells of jobs, a line for each.
enum SlurmJobs {
    /// The form in which it is asked for: the job's state, and why it waits.
    static let format = "%T|%r"

    /// Why a job is said to wait that nobody has looked at yet.
    private static let noReasons: Set<Substring> = ["None", ""]
    private static let running: Set<Substring> = ["RUNNING"]
    /// One that is stopped has its place, and goes on one day.
    private static let waiting: Set<Substring> = [
        "PENDING", "CONFIGURING", "SUSPENDED", "STOPPED", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD",
        "SPECIAL_EXIT", "RESV_DEL_HOLD", "RESIZING", "SIGNALING",
    ]

    /// Counts those that run or will run.
    static func tally(_ text: String) -> WorkerTally {
        var tally = WorkerTally()
        var reasons: Set<Substring> = []
        for line in text.split(whereSeparator: \.isNewline) {
            let cells = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            guard let state = cells.first else { continue }
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
