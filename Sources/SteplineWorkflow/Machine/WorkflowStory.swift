import SteplineEngine
import SteplineSupport

import struct Foundation.Date

/// What happens in a workflow, as numbered events for its readers and as a log of attempts.
///
/// Events of one turn go to the readers together. Nobody who doesn't ask pays for more than the counting.
struct WorkflowStory {
    private var readers = EventReaders<WorkflowEvent>()
    private var fresh: [WorkflowEvent] = []
    private var log: AttemptLog?
    /// The date of the clock's zero.
    private let calendar: Double
    /// How many events there were.
    private(set) var count = 0
    /// Whether events are made: there were readers, or attempts are kept.
    private(set) var isHeard: Bool

    /// Where the workflow is, if it runs inside another.
    let path: [Int]

    init(calendar: Double, path: [Int], keptAttempts: Int) {
        self.calendar = calendar
        self.path = path
        isHeard = keptAttempts > 0
        if keptAttempts > 0 { log = AttemptLog(kept: keptAttempts) }
    }

    /// Whether somebody reads.
    var isRead: Bool { !readers.isEmpty }

    mutating func add(_ stream: EventStream<WorkflowEvent>) {
        readers.add(stream)
        isHeard = true
    }

    /// The date of a reading of the clock.
    func date(_ instant: Instant) -> Date {
        Date(timeIntervalSinceReferenceDate: calendar + Double(instant.nanoseconds) / 1e9)
    }

    /// The reading of the clock at a date.
    func instant(_ date: Double) -> Instant {
        // Dates come from elsewhere, and may be centuries away.
        Instant(nanoseconds: Int64(min(max((date - calendar) * 1e9, -9e18), 9e18)))
    }

    // MARK: Events

    @inline(__always)
    mutating func countEvent() { count &+= 1 }

    /// Makes the event that was counted last.
    mutating func make(
        _ kind: WorkflowEvent.Kind, _ number: Int32?, _ name: String, attempt: UInt32,
        at now: Instant
    ) {
        guard isRead else { return }
        let task = number.map { TaskID(around: path, position: Int($0) + 1) }
        fresh.append(
            WorkflowEvent(
                number: count, time: date(now), task: task, name: name, attempt: Int(attempt), kind: kind))
    }

    /// Gives the readers what this turn has made.
    @inline(__always)
    mutating func flush(_ turn: inout WorkflowTurn) {
        guard !fresh.isEmpty else { return }
        readers.send(contentsOf: fresh, &turn)
        fresh.removeAll(keepingCapacity: true)
    }

    mutating func finish(_ turn: inout WorkflowTurn) {
        flush(&turn)
        readers.finish(&turn)
    }

    // MARK: The log

    /// The attempts kept of a task, and until when they are known.
    func attempts(of number: Int32) -> (entries: [AttemptLog.Entry], last: Instant) {
        log.map { ($0.entries(Int(number)), $0.last) } ?? ([], .zero)
    }

    mutating func logBegin(_ number: Int32, attempt: UInt32, _ turn: inout WorkflowTurn) {
        turn.letGo(of: log?.begins(Int(number), number: Int(attempt), at: turn.now))
    }

    mutating func logEnd(
        _ number: Int32, _ ending: AttemptRecord.Ending, _ error: (any Error)? = nil, at now: Instant
    ) {
        log?.ends(Int(number), ending, error, at: now)
    }

    mutating func logWait(_ number: Int32, for cause: WaitCause, at now: Instant) {
        log?.waits(Int(number), for: cause, at: now)
    }
}
