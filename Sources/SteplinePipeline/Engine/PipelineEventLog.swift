import SteplineEngine
import SteplineSupport

/// Counts a pipeline's events, and makes them for those who read.
struct PipelineEventLog {
    private let identity: PipelineIdentity
    private var readers = EventReaders<PipelineEvent>()
    private var number: UInt32 = 0
    private var calendar: PipelineCalendar?

    init(of identity: PipelineIdentity) { self.identity = identity }

    var hasReaders: Bool { !readers.isEmpty }

    /// Takes the calendar to date events by; the first one holds.
    mutating func setCalendar(_ calendar: PipelineCalendar) { self.calendar = self.calendar ?? calendar }

    /// Counts an event; without readers it isn't made.
    mutating func emit(
        _ kind: @autoclosure () -> PipelineEvent.Kind, isReplaceable: Bool = false,
        _ turn: inout PipelineTurn
    ) {
        number &+= 1
        guard hasReaders else { return }
        readers.send(event(kind(), at: turn.now), isReplaceable: isReplaceable, &turn)
    }

    /// Ends all streams behind what they have.
    mutating func finish(_ turn: inout PipelineTurn) { readers.finish(&turn) }

    mutating func add(_ stream: EventStream<PipelineEvent>) { readers.add(stream) }

    /// The event that was counted last, for a reader who comes after it.
    func lastEvent(_ kind: PipelineEvent.Kind, at time: Instant) -> PipelineEvent { event(kind, at: time) }

    private func event(_ kind: PipelineEvent.Kind, at time: Instant) -> PipelineEvent {
        PipelineEvent(
            number: Int(number), time: (calendar ?? .unknown).date(of: time), pipeline: identity.text,
            kind: kind
        )
    }
}
