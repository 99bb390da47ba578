import SteplineEngine
import SteplineSupport

/// The recorded attempts of a workflow's tasks, for reports and pictures.
///
/// The machine owns this value if ``WorkflowOptions/keptAttempts`` is positive, and uses it under its lock. Each task
/// has a list of its last attempts and the current wait. Recording is constant time, apart from dropping the oldest
/// attempt.
struct AttemptLog {
    struct Entry {
        let number: Int
        let begin: Instant
        let waits: [AttemptRecord.Wait]
        var end: Instant?
        var ending = AttemptRecord.Ending.executing
        var failure: (any Error)?
    }

    private struct Story {
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
    private var stories: [Story] = []
    /// The time of the last event.
    private(set) var last = Instant.zero

    init(kept: Int) { self.kept = kept }

    func entries(_ index: Int) -> [Entry] { index < stories.count ? stories[index].entries : [] }

    /// Records the cause of a task's wait, and ends the previous wait.
    mutating func waits(_ index: Int, for cause: WaitCause, at time: Instant) {
        reach(index, time)
        // The same cause again: the wait continues.
        guard stories[index].cause != cause else { return }
        stories[index].closeWait(at: time)
        stories[index].cause = cause
        stories[index].since = time
    }

    /// Records the begin of an attempt; returns the error of a dropped attempt for release after unlock.
    mutating func begins(_ index: Int, number: Int, at time: Instant) -> (any Error)? {
        reach(index, time)
        stories[index].closeWait(at: time)
        // Only the last attempts are kept, so memory stays bounded.
        let isFull = stories[index].entries.count >= kept
        let oldest = isFull ? stories[index].entries.removeFirst() : nil
        stories[index].entries.append(Entry(number: number, begin: time, waits: stories[index].waits))
        stories[index].waits = []
        return oldest?.failure
    }

    /// Records the end of an executing attempt; a current wait ends too.
    mutating func ends(
        _ index: Int, _ ending: AttemptRecord.Ending, _ failure: (any Error)? = nil, at time: Instant
    ) {
        // A task that ended while it waited never used these waits.
        reach(index, time)
        stories[index].waits = []
        stories[index].cause = nil
        // A task can end without an attempt, for example by a cancellation.
        guard let last = stories[index].entries.indices.last, stories[index].entries[last].end == nil
        else { return }
        stories[index].entries[last].end = time
        stories[index].entries[last].ending = ending
        stories[index].entries[last].failure = failure
    }

    private mutating func reach(_ index: Int, _ time: Instant) {
        last = max(last, time)
        // Tasks are added during a run: the list grows on demand.
        while stories.count <= index { stories.append(Story()) }
    }
}
