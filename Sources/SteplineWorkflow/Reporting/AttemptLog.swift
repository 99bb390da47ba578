import SteplineEngine
import SteplineSupport

/// The last attempts of each task, in a workflow that keeps them.
struct AttemptLog {
    struct Entry {
        let number: Int
        let begin: Instant
        let waits: [AttemptRecord.Wait]
        var end: Instant?
        var ending = AttemptRecord.Ending.executing
        var failure: (any Error)?
    }

    private struct TaskLog {
        var entries: [Entry] = []
        var waits: [AttemptRecord.Wait] = []
        var cause: WaitCause?
        var since = Instant.zero

        mutating func closeWait(at time: Instant) {
            guard let cause else { return }
            self.cause = nil
            // Waits without a duration aren't recorded.
            guard time > since else { return }
            waits.append(AttemptRecord.Wait(cause: cause, duration: time - since))
        }
    }

    private let kept: Int
    private var logs: [TaskLog] = []
    /// The time of the last entry.
    private(set) var last = Instant.zero

    init(kept: Int) { self.kept = kept }

    func entries(_ index: Int) -> [Entry] { index < logs.count ? logs[index].entries : [] }

    /// Begins a wait of a started task, which ends its wait for anything else.
    mutating func waits(_ index: Int, for cause: WaitCause, at time: Instant) {
        reach(index, time)
        // The same wait goes on, as for a deferred task that its queue has called twice.
        guard logs[index].cause != cause else { return }
        logs[index].closeWait(at: time)
        logs[index].cause = cause
        logs[index].since = time
    }

    /// Adds an attempt; returns the failure of one that is no longer kept, to be released after unlock.
    mutating func begins(_ index: Int, number: Int, at time: Instant) -> (any Error)? {
        reach(index, time)
        logs[index].closeWait(at: time)
        let isFull = logs[index].entries.count >= kept
        let oldest = isFull ? logs[index].entries.removeFirst() : nil
        logs[index].entries.append(Entry(number: number, begin: time, waits: logs[index].waits))
        logs[index].waits = []
        return oldest?.failure
    }

    /// Ends the attempt that was Executing, if there is one, and any wait for an attempt.
    mutating func ends(
        _ index: Int, _ ending: AttemptRecord.Ending, _ failure: (any Error)? = nil, at time: Instant
    ) {
        // A task that ended while it waited never used these waits.
        reach(index, time)
        logs[index].waits = []
        logs[index].cause = nil
        guard let last = logs[index].entries.indices.last, logs[index].entries[last].end == nil
        else { return }
        logs[index].entries[last].end = time
        logs[index].entries[last].ending = ending
        logs[index].entries[last].failure = failure
    }

    private mutating func reach(_ index: Int, _ time: Instant) {
        last = max(last, time)
        while logs.count <= index { logs.append(TaskLog()) }
    }
}
