public import SteplineSupport

/// The readers of one engine's events; lives in the engine's machine.
///
/// It holds what the streams have in common with it, and not the streams. One that its reader has dropped is removed at
/// the next event, or once the list has doubled. An engine without readers asks `isEmpty` and makes no event at all. When
/// it is freed with its machine, all streams end.
@usableFromInline
package struct EventReaders<Event: Sendable> {
    @usableFromInline
    final class Readers {
        @usableFromInline var list: [Locked<EventStream<Event>.State>]
        /// The number of streams at which dropped ones are removed, without an event.
        @usableFromInline var limit = 16

        @inlinable
        init(_ list: [Locked<EventStream<Event>.State>]) { self.list = list }

        @inlinable
        func removeDropped() { list.removeAll { $0.withLock { $0.isFinished } } }

        @inlinable
        deinit {
            for reader in list { reader.withLock { $0.finish() }?.wake() }
        }
    }

    /// Nil while nobody has ever read.
    @usableFromInline var readers: Readers?

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { readers?.list.isEmpty ?? true }

    @inlinable
    package mutating func add(_ stream: EventStream<Event>) {
        guard let readers else { return readers = Readers([stream.state]) }
        readers.list.append(stream.state)
        if readers.list.count >= readers.limit {
            readers.removeDropped()
            readers.limit = max(16, 2 * readers.list.count)
        }
    }

    /// Gives the event to all readers; those who waited for it are woken after the turn.
    @inlinable
    package mutating func send<Effect, Timer>(
        _ event: Event, isReplaceable: Bool = false, _ turn: inout Turn<Effect, Timer>
    ) {
        tell(&turn) { $0.append(event, isReplaceable: isReplaceable) }
    }

    /// Gives events to all readers, none of them replaceable.
    @inlinable
    package mutating func send<Effect, Timer>(contentsOf events: [Event], _ turn: inout Turn<Effect, Timer>) {
        tell(&turn) { $0.append(contentsOf: events) }
    }

    @inlinable
    @inline(__always)
    mutating func tell<Effect, Timer>(
        _ turn: inout Turn<Effect, Timer>,
        _ tell: (inout EventStream<Event>.State) -> EventStream<Event>.Wakeup?
    ) {
        guard let readers else { return }
        var hasDropped = false
        for reader in readers.list {
            reader.withLock { reader in
                if let wakeup = tell(&reader) { turn.wake(wakeup) }
                if reader.isFinished { hasDropped = true }
            }
        }
        if hasDropped { readers.removeDropped() }
    }

    /// Ends all streams behind what they have.
    @inlinable
    package mutating func finish<Effect, Timer>(_ turn: inout Turn<Effect, Timer>) {
        guard let readers else { return }
        self.readers = nil
        for reader in readers.list {
            if let wakeup = reader.withLock({ $0.finish() }) { turn.wake(wakeup) }
        }
        readers.list = []
    }
}
