public import SteplineSupport

/// The event streams that read one engine's events; the engine's machine owns this value.
///
/// The list holds each stream's shared state, not the stream itself, so a dropped stream is freed. Dropped streams
/// leave the list at the next event, or when the list has doubled. A machine without readers checks `isEmpty` and
/// creates no event. When the machine is freed, all streams finish.
@usableFromInline
package struct EventReaders<Event: Sendable> {
    @usableFromInline
    final class Readers {
        @usableFromInline var list: [Locked<EventStream<Event>.State>]
        /// The list length at which `add` removes dropped streams.
        @usableFromInline var limit = 16

        @inlinable
        init(_ list: [Locked<EventStream<Event>.State>]) { self.list = list }

        @inlinable
        func removeDropped() { list.removeAll { $0.withLock { $0.isFinished } } }

        @inlinable
        deinit {
            // A deinitializer has no transaction: wake the readers directly.
            for reader in list { reader.withLock { $0.finish() }?.wake() }
        }
    }

    /// The list of streams; nil until the first one is added.
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
            // Doubling makes the removal constant time per added stream, amortized.
            readers.limit = max(16, 2 * readers.list.count)
        }
    }

    /// Appends the event to every stream; readers that wait for an event wake after the transaction.
    @inlinable
    package mutating func send<Effect, Timer>(
        _ event: Event, isReplaceable: Bool = false, _ turn: inout Turn<Effect, Timer>
    ) {
        tell(&turn) { $0.append(event, isReplaceable: isReplaceable) }
    }

    /// Appends several events to every stream, none of them replaceable.
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
                // Streams finish under their own lock, on the thread that drops them. Removal waits until after the
                // loop.
                if reader.isFinished { hasDropped = true }
            }
        }
        if hasDropped { readers.removeDropped() }
    }

    /// Finishes all streams after the events that they hold.
    @inlinable
    package mutating func finish<Effect, Timer>(_ turn: inout Turn<Effect, Timer>) {
        guard let readers else { return }
        self.readers = nil
        for reader in readers.list {
            if let wakeup = reader.withLock({ $0.finish() }) { turn.wake(wakeup) }
        }
        // Emptied, or the deinitializer would finish each stream a second time.
        readers.list = []
    }
}
