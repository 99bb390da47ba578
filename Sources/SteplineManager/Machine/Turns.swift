import SteplineEngine

/// The queue of records to ask interceptors or reactors about, one at a time; a question without an answer is given up.
///
/// A `Turn` is something else: the transaction of a machine.
///
/// States: idle (`current` is nil) or asking (`current` and `runner` are set). A given-up question increments `round`,
/// so the late answer of its runner is ignored. The next question may then overlap with that runner's call.
struct Turns {
    private var waiting = FIFO<TaskRecord>()
    /// The number of the round, which invalidates answers of given-up questions.
    private(set) var round = 1
    private(set) var current: TaskRecord?
    /// The runner that asks.
    private var runner: Runner?
    /// The interceptor or reactor that is being asked, and since when.
    private(set) var progress = TurnProgress()

    /// Whether the next question can be asked.
    var isWaiting: Bool { current == nil && !waiting.isEmpty }

    mutating func append(_ record: TaskRecord) { waiting.append(record) }

    /// Returns the next record, if no question is open.
    mutating func next(for runner: Runner, at now: Instant) -> TaskRecord? {
        guard current == nil, let record = waiting.popFirst() else { return nil }
        current = record
        self.runner = runner
        progress.begin(at: now)
        return record
    }

    /// Closes a question without asking.
    mutating func skip() { current = nil }

    /// Closes the current question; returns false if it was given up.
    mutating func close(_ record: TaskRecord, in round: Int) -> Bool {
        guard isCurrent(record, in: round) else { return false }
        current = nil
        runner = nil
        return true
    }

    /// Gives up the current question; returns the runner that is blocked in it.
    mutating func giveUp() -> Runner? {
        defer {
            current = nil
            runner = nil
        }
        // The blocked runner still carries the old number, so `close` rejects its answer.
        round += 1
        // Progress that the blocked runner still reports must not count for the next question.
        progress = TurnProgress()
        return runner
    }

    /// Puts the current record back at the front of the queue.
    mutating func putBack() {
        if let current { waiting.putBack(current) }
    }

    func isCurrent(_ record: TaskRecord, in round: Int) -> Bool { round == self.round && current === record }
}
