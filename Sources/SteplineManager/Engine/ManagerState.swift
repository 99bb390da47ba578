import SteplineSupport

import struct Foundation.Date

/// A manager's decisions: an event goes in, and what to do comes out as `ManagerEffects`.
///
/// Starts no thread and calls no user code.
struct ManagerState {
    /// What an interceptor holds.
    struct Hold {
        var records: [TaskRecord] = []
        /// How many of `records` it still holds.
        var count = 0
        var limits = HoldLimits()
        var timer = RecordTimer()
    }

    /// The fixed facts.
    let identifier: Int
    let interceptorNames: [String]
    let reactorNames: [String]
    let clock: any StepClock
    let log: StepLog
    let answerTimeout: Duration
    let abandonAfter: Duration
    let maximumWaiting: Int?

    var maximumConcurrency: Int?
    var effects = ManagerEffects()
    var released = Released()
    /// The time of the change under way, if it has been read.
    private var moment: Duration?
    var nextNumber = 0
    var all: [TaskRecord?] = []
    var unfinished = 0
    /// Tasks that have not begun an attempt.
    var notBegun = 0
    /// Unfinished tasks that only somebody could move: not started, or held without an age limit.
    var unmoved = 0
    /// Ends whose callbacks have not returned.
    var telling = 0
    var idleWaiters: [Int: @Sendable () -> Void] = [:]

    var live = 0
    /// Bodies of ended handles that keep their slots.
    var stopped: [ObjectIdentifier: TaskRecord] = [:]
    var ready = ReadyQueue()
    /// Ready in spite of suspension and pause.
    var exempt = ReadyQueue()
    var lanes: [TaskLane: LaneState] = [:]
    var watchdog: Watchdog
    var lastOrder = 0

    var interception = TurnKeeper()
    /// What became of an interceptor's wait while a task was being asked about, which it may yet hold.
    var settled: [Int: HoldSettlement] = [:]
    var holds: [Hold]
    /// Their counts once more, to be handed out.
    var heldCounts: [Int]
    var asking = TurnKeeper()
    var reactors: [ReactorState]
    /// Attempts whose code has not begun.
    var begun = Line<(record: TaskRecord, attempt: Int)>()
    /// Whether a runner was started that has taken nothing yet, or looks out for work.
    var isRunnerComing = false
    var lastRun = 0
    var suspensions = 0

    var isPaused = false
    var isShuttingDown = false
    var isReleased = false
    var hasShutDown = false

    var readers = EventFanout<ManagerEvent>()
    var lastEvent = 0
    var finishedCount = 0, cancelledCount = 0, abandonedCount = 0

    init(
        identifier: Int, interceptors: [String], reactors: [String], clock: any StepClock, log: StepLog,
        answerTimeout: Duration,
        abandonAfter: Duration, watchdogAfter: Duration?, maximumWaiting: Int?, maximumConcurrency: Int?
    ) {
        self.identifier = identifier
        interceptorNames = interceptors
        reactorNames = reactors
        self.clock = clock
        self.log = log
        self.answerTimeout = answerTimeout
        self.abandonAfter = abandonAfter
        watchdog = Watchdog(patience: watchdogAfter)
        self.maximumWaiting = maximumWaiting
        self.maximumConcurrency = maximumConcurrency.map { max($0, 0) }
        holds = interceptors.map { _ in Hold() }
        heldCounts = interceptors.map { _ in 0 }
        self.reactors = reactors.map { _ in ReactorState() }
    }

    // MARK: Time

    /// The time, read at most once for each change.
    var now: Duration {
        mutating get {
            if let moment { return moment }
            let time = clock.uptime
            moment = time
            return time
        }
    }

    /// Another change begins.
    mutating func beginChange() { moment = nil }

    // MARK: Telling

    mutating func tell(
        _ kind: ManagerEvent.Kind, _ record: TaskRecord? = nil, name: String? = nil, attempt: Int? = nil
    ) {
        lastEvent += 1
        let isLogged = log.isLogging(kind.level)
        guard isLogged || !readers.isEmpty else { return }
        let event = ManagerEvent(
            number: lastEvent, date: clock.now, kind: kind, handle: record?.identifier,
            name: name ?? record?.name ?? "", attempt: attempt ?? record?.attempt ?? 0,
            outcome: record?.outcome)
        if isLogged { effects.logged.append((event, record?.tags ?? [])) }
        effects.eventWakeups += readers.send(event)
    }

    mutating func tellLateEnd(of record: TaskRecord, attempt: Int) {
        tell(.lateEnd, record, attempt: attempt)
    }

    /// Puts a record into a phase, and tells those who read its states.
    mutating func move(_ record: TaskRecord, to phase: TaskRecord.Phase) {
        record.phase = phase
        record.since = now
        guard record.readers != nil else { return }
        let state = state(of: record)
        effects.stateWakeups += record.readers?.send(state) ?? []
        if case .ended = phase {
            effects.stateWakeups += record.readers?.finish() ?? []
            record.readers = nil
        }
    }

    func state(of record: TaskRecord) -> TaskState {
        if let outcome = record.outcome { return .finished(outcome) }
        let wait: TaskState.Wait? =
            switch record.phase {
            case .notStarted: .start
            case .delayed: .delay
            case .awaitingTurn, .intercepting: .interception
            case .held: .held
            case .queued:
                record.exemptReactor != nil
                    ? .slot : isPaused ? .pause : suspensions > 0 ? .suspension : .slot
            case .live, .ended: nil
            case .asked, .reacting: .reaction
            case .backingOff: .backoff
            }
        return record.attempt > 0 ? .executing(wait) : .pending(wait ?? .slot)
    }

    // MARK: Timers

    /// Has the clock call back about a record; whatever it waited for before is off.
    mutating func arm(_ record: TaskRecord, after delay: Duration) {
        disarm(record)
        effects.timers.append((.record(record, number: record.timer.number), delay))
    }

    mutating func disarm(_ record: TaskRecord) {
        record.timer.number += 1
        if let subscription = record.timer.subscription {
            effects.endedTimers.append(subscription)
            record.timer.subscription = nil
        }
    }

    // MARK: Who is there

    mutating func list(_ record: TaskRecord) {
        record.listIndex = all.count
        all.append(record)
        unfinished += 1
        notBegun += 1
        if let patience = watchdog.rouse() { effects.timers.append((.watchdog, patience)) }
    }

    mutating func unlist(_ record: TaskRecord) {
        all[record.listIndex] = nil
        unfinished -= 1
        if record.attempt == 0 { notBegun -= 1 }
        guard all.count > 64, all.count > 4 * unfinished else { return }
        all = all.filter { $0 != nil }
        for (index, record) in all.enumerated() { record?.listIndex = index }
    }

    var tasks: [TaskRecord] { all.compactMap { $0 } }
}
