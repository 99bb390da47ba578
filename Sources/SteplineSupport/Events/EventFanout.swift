/// The readers of one engine's events; lives in the engine's locked state.
///
/// Readers are held weakly: a stream that its reader has dropped costs nothing more. An engine that nobody
/// reads asks `isEmpty` and makes no event at all.
@usableFromInline
package struct EventFanout<Event: Sendable> {
    @usableFromInline struct Reader {
        @usableFromInline weak var stream: EventStream<Event>?

        @inlinable init(stream: EventStream<Event>) { self.stream = stream }
    }

    @usableFromInline package typealias Wakeups = [EventStream<Event>.Wakeup]

    @usableFromInline var readers: [Reader] = []

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { readers.isEmpty }

    @inlinable
    package mutating func add(_ stream: EventStream<Event>) {
        readers.removeAll { $0.stream == nil }
        readers.append(Reader(stream: stream))
    }

    /// Gives the event to all readers; the wake-ups are to be called once the lock is released.
    @inlinable
    package func send(_ event: Event, isReplaceable: Bool = false) -> Wakeups {
        readers.compactMap { $0.stream?.append(event, isReplaceable: isReplaceable) }
    }

    /// Ends all streams.
    @inlinable
    package mutating func finish() -> Wakeups {
        defer { readers = [] }
        return readers.compactMap { $0.stream?.finish() }
    }
}
