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

/// Who is next to be asked about, one at a time; a loop that doesn't answer is given up, and another begun.
struct TurnKeeper {
    private var waiting: [TaskRecord?] = []
    private var taken = 0
    /// The loop that asks; one with another number has been given up.
    private(set) var loop = 0
    private(set) var isRunning = false
    private(set) var current: TaskRecord?
    /// Who is being asked, and since when.
    let progress = TurnProgress()
    var hasTimer = false

    /// Adds one; true if a loop must be started.
    mutating func append(_ record: TaskRecord) -> Bool {
        waiting.append(record)
        guard !isRunning else { return false }
        isRunning = true
        loop += 1
        return true
    }

    mutating func next(for loop: Int) -> TaskRecord? {
        guard loop == self.loop else { return nil }
        current = nil
        guard taken < waiting.count else {
            isRunning = false
            return nil
        }
        let record = waiting[taken]
        waiting[taken] = nil
        taken += 1
        if taken == waiting.count {
            waiting.removeAll(keepingCapacity: waiting.capacity <= 1024)
            taken = 0
        } else if taken >= 1024, 2 * taken >= waiting.count {
            waiting.removeFirst(taken)
            taken = 0
        }
        current = record
        return record
    }

    /// Gives up the loop under way; the number of the next.
    mutating func giveUp() -> Int {
        loop += 1
        isRunning = true
        current = nil
        return loop
    }

    /// The one being asked about is to be the next again.
    mutating func putBack() {
        guard let current else { return }
        waiting.insert(current, at: taken)
    }

    func isCurrent(_ record: TaskRecord, in loop: Int) -> Bool { loop == self.loop && current === record }
}
