import SteplineEngine
import SteplineSupport

/// What a workflow that keeps attempts knows of them, beside its machine.
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
            guard time > since else { return }
            waits.append(AttemptRecord.Wait(cause: cause, duration: time - since))
        }
    }

    private let kept: Int
    private var stories: [Story] = []
    /// When something happened last.
    private(set) var last = Instant.zero

    init(kept: Int) { self.kept = kept }

    func entries(_ index: Int) -> [Entry] { index < stories.count ? stories[index].entries : [] }

    /// A started task waits for something from now on, and no longer for what it waited for before.
    mutating func waits(_ index: Int, for cause: WaitCause, at time: Instant) {
        reach(index, time)
        guard stories[index].cause != cause else { return }
        stories[index].closeWait(at: time)
        stories[index].cause = cause
        stories[index].since = time
    }

    /// Returns the failure of an attempt that is no longer kept: a user's error, to be freed after the lock.
    mutating func begins(_ index: Int, number: Int, at time: Instant) -> (any Error)? {
        reach(index, time)
        stories[index].closeWait(at: time)
        let isFull = stories[index].entries.count >= kept
        let oldest = isFull ? stories[index].entries.removeFirst() : nil
        stories[index].entries.append(Entry(number: number, begin: time, waits: stories[index].waits))
        stories[index].waits = []
        return oldest?.failure
    }

    /// The attempt has ended, if one was Executing; a wait for one is over too.
    mutating func ends(
        _ index: Int, _ ending: AttemptRecord.Ending, _ failure: (any Error)? = nil, at time: Instant
    ) {
        reach(index, time)
        stories[index].waits = []
        stories[index].cause = nil
        guard let last = stories[index].entries.indices.last, stories[index].entries[last].end == nil
        else { return }
        stories[index].entries[last].end = time
        stories[index].entries[last].ending = ending
        stories[index].entries[last].failure = failure
    }

    private mutating func reach(_ index: Int, _ time: Instant) {
        last = max(last, time)
        while stories.count <= index { stories.append(Story()) }
    }
}
