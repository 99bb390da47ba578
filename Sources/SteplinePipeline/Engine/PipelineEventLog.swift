import SteplineEngine
import SteplineSupport

/// Numbers a pipeline's events and creates them for the readers and the log.
struct PipelineEventLog {
    private let identity: PipelineIdentity
    private var readers = EventReaders<PipelineEvent>()
    private var number: UInt32 = 0
    private var calendar: PipelineCalendar?
    private let log: StepLog?

    init(of identity: PipelineIdentity, log: StepLog?) {
        self.identity = identity
        self.log = log
    }

    var hasReaders: Bool { !readers.isEmpty || log?.isLogging(.error) == true }

    /// Sets the calendar that dates the events; only the first call counts.
    mutating func setCalendar(_ calendar: PipelineCalendar) { self.calendar = self.calendar ?? calendar }

    /// Counts an event, and creates it if there are readers.
    mutating func emit(
        _ kind: @autoclosure () -> PipelineEvent.Kind, isReplaceable: Bool = false,
        _ turn: inout PipelineTurn
    ) {
        number &+= 1
        // `kind` is an autoclosure: without readers the event's values aren't even computed.
        guard hasReaders else { return }
        let event = event(kind(), at: turn.now)
        // Sinks are user code, so the line is written after unlock; as news, so that the lines keep their order and
        // precede the end. The clock may call the next attempt on another thread before this one writes.
        if let log, log.isLogging(event.kind.level) { turn.tell(.log(event)) }
        readers.send(event, isReplaceable: isReplaceable, &turn)
    }

    /// Finishes all streams after the events that they hold.
    mutating func finish(_ turn: inout PipelineTurn) { readers.finish(&turn) }

    mutating func add(_ stream: EventStream<PipelineEvent>) { readers.add(stream) }

    /// Returns the event that was counted last, for a reader that subscribes after the end.
    func lastEvent(_ kind: PipelineEvent.Kind, at time: Instant) -> PipelineEvent { event(kind, at: time) }

    private func event(_ kind: PipelineEvent.Kind, at time: Instant) -> PipelineEvent {
        PipelineEvent(
            number: Int(number), time: (calendar ?? .unknown).date(of: time), pipeline: identity.text,
            kind: kind
        )
    }
}
