import SteplineEngine
import SteplineSupport

import struct Foundation.Date

/// The events of a manager, numbered and dated, for readers and the log.
struct ManagerTelling {
    private let log: StepLog
    private var readers = EventReaders<ManagerEvent>()
    private var lastNumber = 0
    /// A time of the monotonic scale with its date, read together without the lock.
    private var dated: (moment: Instant, date: Date)?

    init(log: StepLog) { self.log = log }

    mutating func add(_ stream: EventStream<ManagerEvent>) { readers.add(stream) }

    /// Sets the clock readings, which were taken without the lock.
    mutating func set(_ date: Date, at moment: Instant) { dated = (moment, date) }

    mutating func tell(
        _ kind: ManagerEvent.Kind, of record: TaskRecord?, name: String?, attempt: Int?,
        _ turn: inout ManagerTurn
    ) {
        lastNumber += 1
        let isLogged = log.isLogging(kind.level(endingAs: record?.stage.end))
        guard isLogged || !readers.isEmpty else { return }
        let event = ManagerEvent(
            number: lastNumber, date: date(at: turn.now), kind: kind, handle: record?.identifier,
            name: name ?? record?.name ?? "", attempt: attempt ?? record?.attemptNumber ?? 0,
            end: record?.stage.end)
        if isLogged {
            // The error's text is user code: the log reads the ended record after unlock.
            let report =
                kind == .finished ? record.map { TaskReport(record: $0, duration: turn.now - $0.added) } : nil
            // As news: the lines keep their order, also if a timer's thread is faster than this one.
            turn.tell(.log(event, tags: record?.tags ?? [], report))
        }
        readers.send(event, &turn)
    }

    private func date(at moment: Instant) -> Date {
        // No transaction has read the clocks yet, because no event was wanted.
        guard let dated else { return .distantPast }
        return dated.date.addingTimeInterval((moment - dated.moment).inSeconds)
    }

    mutating func finish(_ turn: inout ManagerTurn) { readers.finish(&turn) }
}
