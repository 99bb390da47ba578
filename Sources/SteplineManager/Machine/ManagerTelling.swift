import SteplineEngine
import SteplineSupport

import struct Foundation.Date

/// The events of a manager: numbers and dates them, for readers and for the log.
struct ManagerTelling {
    private let log: StepLog
    private var readers = EventReaders<ManagerEvent>()
    private var lastNumber = 0
    /// A moment of the steady scale, and its date; read together, before the lock.
    private var dated: (moment: Instant, date: Date)?

    init(log: StepLog) { self.log = log }

    /// Whether somebody may want dates.
    var isTold: Bool { !readers.isEmpty || log.isLogging(.warning) }

    mutating func add(_ stream: EventStream<ManagerEvent>) { readers.add(stream) }

    /// What the clocks showed before the lock was taken.
    mutating func set(_ date: Date, at moment: Instant) { dated = (moment, date) }

    mutating func tell(
        _ kind: ManagerEvent.Kind, of record: TaskRecord?, name: String?, attempt: Int?,
        _ turn: inout ManagerTurn
    ) {
        lastNumber += 1
        let isLogged = log.isLogging(kind.level)
        guard isLogged || !readers.isEmpty else { return }
        let event = ManagerEvent(
            number: lastNumber, date: date(at: turn.now), kind: kind, handle: record?.identifier,
            name: name ?? record?.name ?? "", attempt: attempt ?? record?.attemptNumber ?? 0,
            end: record?.stage.end)
        if isLogged { turn.order(.log(event, tags: record?.tags ?? [])) }
        readers.send(event, &turn)
    }

    private func date(at moment: Instant) -> Date {
        guard let dated else { return .distantPast }
        return dated.date.addingTimeInterval((moment - dated.moment).inSeconds)
    }

    mutating func finish(_ turn: inout ManagerTurn) { readers.finish(&turn) }
}
