import SteplineEngine
import SteplineSupport

import struct Foundation.Date

/// The events of a workflow, numbered for its readers, and a log of attempts.
///
/// Part of the machine, so used under its lock only. Every event is counted; it is made only if there are readers or a
/// log. The events of one transaction are sent to the readers together, when the transaction ends.
struct WorkflowEventLog {
    /// The values that the inner workflow of a map takes over from the workflow around.
    struct Outlet {
        /// The positions of the tasks around the elements, outermost first.
        let path: [Int]
        let calendar: Double
        let audience: EventAudience
        let recordsEvents: Bool
    }

    private var readers = EventReaders<WorkflowEvent>()
    private var fresh: [WorkflowEvent] = []
    /// The streams of the numbers of tasks that finish or fail.
    private var endReaders = EventReaders<Int32>()
    private var freshEnds: [Int32] = []
    private var log: AttemptLog?
    private let textLog: StepLog?
    /// The audience for the inner workflows of maps; nil until one asks.
    private var audience: EventAudience?
    /// The audience of the workflow around, for the inner workflow of a map.
    private var outerAudience: EventAudience?
    /// The date of the clock's zero.
    private var calendar: Double
    /// The number of events so far, those without readers included.
    private(set) var count = 0
    /// Whether there were readers, or attempts are kept.
    private(set) var recordsEvents: Bool

    /// The positions of the tasks around the workflow, outermost first; empty for any workflow but that of a map.
    private(set) var path: [Int] = []

    init(calendar: Double, keptAttempts: Int, textLog: StepLog? = nil) {
        self.calendar = calendar
        self.textLog = textLog
        recordsEvents = keptAttempts > 0 || textLog != nil
        if keptAttempts > 0 { log = AttemptLog(kept: keptAttempts) }
    }

    /// Whether events are made, for streams or the log, or for those of the workflow around.
    var hasReaders: Bool { !readers.isEmpty || textLog?.isLogging(.error) == true || isForwarding }

    private var isForwarding: Bool { outerAudience?.isPresent == true }

    mutating func add(_ stream: EventStream<WorkflowEvent>) {
        readers.add(stream)
        audience?.hasReaders = true
        recordsEvents = true
    }

    /// Records events from now on for a reader elsewhere.
    mutating func record() { recordsEvents = true }

    mutating func add(ends stream: EventStream<Int32>) {
        endReaders.add(stream)
        recordsEvents = true
    }

    /// Returns what the map at a position takes over from this workflow.
    mutating func outlet(ofMapAt position: Int) -> Outlet {
        let audience = audience ?? EventAudience(textLog, around: outerAudience, hasReaders: !readers.isEmpty)
        self.audience = audience
        return Outlet(
            path: path + [position], calendar: calendar, audience: audience,
            recordsEvents: !readers.isEmpty || textLog != nil || outerAudience != nil && recordsEvents)
    }

    /// Sends the events of tasks to the workflow around, while that has readers.
    mutating func forward(to outlet: Outlet) {
        outerAudience = outlet.audience
        // Both workflows date events alike: no map seems to end before its elements.
        (path, calendar) = (outlet.path, outlet.calendar)
        if outlet.recordsEvents { recordsEvents = true }
    }

    /// Adds an event of a map's element, under the next number.
    mutating func add(_ event: WorkflowEvent) {
        guard hasReaders else { return }
        countEvent()
        fresh.append(
            WorkflowEvent(
                number: count, time: event.time, task: event.task, name: event.name, attempt: event.attempt,
                kind: event.kind))
    }

    /// Notes that a task has finished or failed, now or in an earlier process of a durable run.
    mutating func noteEnd(_ number: Int32) {
        if !endReaders.isEmpty { freshEnds.append(number) }
    }

    /// Returns the date of a reading of the clock.
    func date(_ instant: Instant) -> Date {
        Date(timeIntervalSinceReferenceDate: calendar + Double(instant.nanoseconds) / 1e9)
    }

    /// Returns the reading of the clock at a date.
    func instant(_ date: Double) -> Instant {
        // Dates come from elsewhere, and may be centuries away.
        Instant(nanoseconds: Int64(min(max((date - calendar) * 1e9, -9e18), 9e18)))
    }

    // MARK: Events

    @inline(__always)
    mutating func countEvent() { count &+= 1 }

    /// Makes the event that was counted last, if there are readers.
    mutating func make(
        _ kind: WorkflowEvent.Kind, _ number: Int32?, _ name: String, attempt: Int,
        at now: Instant
    ) {
        guard hasReaders else { return }
        append(kind, number, name, attempt: attempt, at: now)
    }

    private mutating func append(
        _ kind: WorkflowEvent.Kind, _ number: Int32?, _ name: String, attempt: Int, at now: Instant
    ) {
        let task = number.map { TaskID(around: path, position: Int($0) + 1) }
        fresh.append(
            WorkflowEvent(
                number: count, time: date(now), task: task, name: name, attempt: attempt, kind: kind))
    }

    /// Makes the event of a change of state, and adds the change to the attempt log.
    ///
    /// - Parameter name: The task's name; nil without readers.
    mutating func record(
        _ kind: TaskTransition.Kind, _ number: Int32, attempt: Int, _ name: String?,
        _ turn: inout WorkflowTurn
    ) {
        if let name { append(kind.event, number, name, attempt: attempt, at: turn.now) }
        switch kind {
        case .finished, .failed: noteEnd(number)
        case .ready, .started, .attemptFailed, .cancelled, .reset, .retried: break
        }
        guard log != nil else { return }
        switch kind {
        case .ready: break
        // A full log drops its oldest attempt, whose error is a user's object.
        case .started: turn.releaseAfterUnlock(log?.begins(Int(number), number: attempt, at: turn.now))
        case .attemptFailed(let failure, _):
            log?.ends(Int(number), .retried, failure.error, at: turn.now)
            logWait(number, for: .backoff, at: turn.now)
        case .finished: log?.ends(Int(number), .finished, at: turn.now)
        case .failed(let failure): log?.ends(Int(number), .failed, failure.error, at: turn.now)
        case .cancelled: log?.ends(Int(number), .cancelled, at: turn.now)
        case .reset, .retried: log?.ends(Int(number), .reset, at: turn.now)
        }
    }

    /// Sends the readers the events of this transaction.
    @inline(__always)
    mutating func flush(_ turn: inout WorkflowTurn) {
        if !fresh.isEmpty {
            if let textLog {
                let logged = fresh.filter { textLog.isLogging($0.kind.level) }
                // Sinks are user code, so the lines are written after unlock; as news, so that they keep their order
                // and precede the end of the run.
                if !logged.isEmpty { turn.tell(.log(logged)) }
            }
            readers.send(contentsOf: fresh, &turn)
            // Sending removes the streams that were dropped.
            audience?.hasReaders = !readers.isEmpty
            if isForwarding {
                // Events of the inner workflow itself aren't events of elements.
                let elements = fresh.filter { $0.task != nil }
                if !elements.isEmpty { turn.tell(.forward(elements)) }
            }
            fresh.removeAll(keepingCapacity: true)
        }
        if !freshEnds.isEmpty {
            endReaders.send(contentsOf: freshEnds, &turn)
            freshEnds.removeAll(keepingCapacity: true)
        }
    }

    mutating func finish(_ turn: inout WorkflowTurn) {
        flush(&turn)
        readers.finish(&turn)
        endReaders.finish(&turn)
    }

    // MARK: The log

    /// The attempts kept of a task, and until when they are known.
    func attempts(of number: Int32) -> (entries: [AttemptLog.Entry], last: Instant) {
        log.map { ($0.entries(Int(number)), $0.last) } ?? ([], .zero)
    }

    mutating func logWait(_ number: Int32, for cause: WaitCause, at now: Instant) {
        log?.waits(Int(number), for: cause, at: now)
    }
}
