import SteplineEngine

/// Who is next to be asked about, one at a time; a question that nobody answers is given up, and the next is asked.
struct Turns {
    private var waiting = FIFO<TaskRecord>()
    /// Grows when a question is given up: what its runner says later counts for nothing.
    private(set) var round = 1
    private(set) var current: TaskRecord?
    /// Who asks.
    private var runner: Runner?
    /// Who is being asked, and since when.
    let progress = TurnProgress()

    /// Whether somebody could be asked about now.
    var isWaiting: Bool { current == nil && !waiting.isEmpty }

    mutating func append(_ record: TaskRecord) { waiting.append(record) }

    /// The next, if nobody is being asked about.
    mutating func next(for runner: Runner, at now: Instant) -> TaskRecord? {
        guard current == nil, let record = waiting.popFirst() else { return nil }
        current = record
        self.runner = runner
        progress.begin(at: now)
        return record
    }

    /// The one being asked about needs no answer.
    mutating func skip() { current = nil }

    /// The answer has come; false if it was given up.
    mutating func close(_ record: TaskRecord, in round: Int) -> Bool {
        guard isCurrent(record, in: round) else { return false }
        current = nil
        runner = nil
        return true
    }

    /// Gives up the question; who is stuck with it.
    mutating func giveUp() -> Runner? {
        defer {
            current = nil
            runner = nil
        }
        round += 1
        return runner
    }

    /// The one being asked about is to be the next again.
    mutating func putBack() {
        if let current { waiting.putBack(current) }
    }

    func isCurrent(_ record: TaskRecord, in round: Int) -> Bool { round == self.round && current === record }
}
