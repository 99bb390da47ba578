import SteplineSupport

/// What a workflow that keeps attempts knows of them, beside its machine.
///
/// Times are nanoseconds of the clock's uptime.
struct AttemptLog {
    struct Entry {
        let number: Int
        let begin: Int64
        let waits: [AttemptRecord.Wait]
        var end: Int64?
        var outcome = AttemptRecord.Outcome.executing
        var failure: (any Error)?
    }

    private struct Story {
        var entries: [Entry] = []
        var waits: [AttemptRecord.Wait] = []
        var cause: WaitCause?
        var since: Int64 = 0

        mutating func closeWait(at time: Int64) {
            guard let cause else { return }
            self.cause = nil
            guard time > since else { return }
            waits.append(AttemptRecord.Wait(cause: cause, duration: .nanoseconds(time - since)))
        }
    }

    private let kept: Int
    private var stories: [Story] = []
    /// When something happened last.
    private(set) var last: Int64 = 0

    init(kept: Int) { self.kept = kept }

    func entries(_ index: Int) -> [Entry] { index < stories.count ? stories[index].entries : [] }

    /// A started task waits for something from now on, and no longer for what it waited for before.
    mutating func waits(_ index: Int, for cause: WaitCause, at time: Int64) {
        reach(index, time)
        guard stories[index].cause != cause else { return }
        stories[index].closeWait(at: time)
        stories[index].cause = cause
        stories[index].since = time
    }

    mutating func begins(_ index: Int, number: Int, at time: Int64) {
        reach(index, time)
        stories[index].closeWait(at: time)
        if stories[index].entries.count >= kept { stories[index].entries.removeFirst() }
        stories[index].entries.append(Entry(number: number, begin: time, waits: stories[index].waits))
        stories[index].waits = []
    }

    /// The attempt has ended, if one was Executing; a wait for one is over too.
    mutating func ends(
        _ index: Int, _ outcome: AttemptRecord.Outcome, _ failure: (any Error)? = nil, at time: Int64
    ) {
        reach(index, time)
        stories[index].waits = []
        stories[index].cause = nil
        guard let last = stories[index].entries.indices.last, stories[index].entries[last].end == nil
        else { return }
        stories[index].entries[last].end = time
        stories[index].entries[last].outcome = outcome
        stories[index].entries[last].failure = failure
    }

    private mutating func reach(_ index: Int, _ time: Int64) {
        last = max(last, time)
        while stories.count <= index { stories.append(Story()) }
    }
}

extension WorkflowState {
    /// Keeps what an event tells of attempts.
    mutating func record(_ kind: WorkflowEvent.Kind, _ index: Int) {
        guard tables.log != nil else { return }
        let time = logTime()
        switch kind {
        case .started: tables.log?.begins(index, number: Int(nodes[index].attempt), at: time)
        case .finished: tables.log?.ends(index, .finished, at: time)
        case .failed:
            tables.log?.ends(index, .failed, (parts[index].value as? TaskFailure)?.error, at: time)
        case .cancelled: tables.log?.ends(index, .cancelled, at: time)
        case .reset, .retried: tables.log?.ends(index, .reset, at: time)
        default: break
        }
    }

    /// An attempt has failed, and another is to follow after its back-off.
    mutating func recordRetry(_ index: Int, _ error: (any Error)?) {
        guard tables.log != nil else { return }
        let time = logTime()
        tables.log?.ends(index, .retried, error, at: time)
        tables.log?.waits(index, for: .backoff, at: time)
    }

    /// A task that was started can't begin yet.
    mutating func recordWait(_ index: Int, for cause: WaitCause? = nil) {
        guard tables.log != nil else { return }
        let usual: WaitCause = liveBodies >= limit ? .limit : .thread
        let isHanded = nodes[index].flags.contains(.onQueue) && options.executor == nil
        let place = isHanded ? .operationQueue : usual
        let time = logTime()
        tables.log?.waits(index, for: cause ?? place, at: time)
    }

    private func logTime() -> Int64 {
        let (seconds, attoseconds) = options.clock.uptime.components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
