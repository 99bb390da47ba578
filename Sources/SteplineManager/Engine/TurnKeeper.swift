import SteplineSupport
import Synchronization

/// Which interceptor or reactor is being asked, and since when: set by the loop, without the lock.
final class TurnProgress: Sendable {
    private let place = Atomic(0)
    private let nanoseconds = Atomic<Int64>(0)

    var position: Int { place.load(ordering: .relaxed) }
    var since: Duration { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }

    func begin(at time: Duration, position: Int = 0) {
        place.store(position, ordering: .relaxed)
        let (seconds, attoseconds) = time.components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue
        nanoseconds.store(whole &+ attoseconds / 1_000_000_000, ordering: .relaxed)
    }
}

/// Who is next to be asked about, one at a time; a question that nobody answers is given up, and the next is asked.
struct TurnKeeper {
    private var waiting = Line<TaskRecord>()
    /// Grows when a question is given up: what that one's runner says later counts for nothing.
    private(set) var loop = 1
    private(set) var current: TaskRecord?
    /// Who asks.
    private(set) var runner: Runner?
    /// Who is being asked, and since when.
    let progress = TurnProgress()
    var hasTimer = false

    /// Whether somebody could be asked about now.
    var isWaiting: Bool { current == nil && !waiting.isEmpty }

    mutating func append(_ record: TaskRecord) { waiting.append(record) }

    /// The next, if nobody is being asked about.
    mutating func next(for runner: Runner) -> TaskRecord? {
        guard current == nil, let record = waiting.popFirst() else { return nil }
        current = record
        self.runner = runner
        return record
    }

    /// The one being asked about needs no answer.
    mutating func skip() { current = nil }

    /// The answer has come; false if it was given up.
    mutating func close(_ record: TaskRecord, in loop: Int) -> Bool {
        guard isCurrent(record, in: loop) else { return false }
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
        loop += 1
        return runner
    }

    /// The one being asked about is to be the next again.
    mutating func putBack() {
        if let current { waiting.putBack(current) }
    }

    func isCurrent(_ record: TaskRecord, in loop: Int) -> Bool { loop == self.loop && current === record }
}
