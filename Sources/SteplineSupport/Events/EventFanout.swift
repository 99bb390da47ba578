/// The readers of one engine's events; lives in the engine's locked state.
///
/// It holds what the streams have in common with it, and not the streams: one that its reader has dropped is left
/// out from the next event on. An engine that nobody reads asks `isEmpty` and makes no event at all.
@usableFromInline
package struct EventFanout<Event: Sendable> {
    @usableFromInline package typealias Wakeups = [EventStream<Event>.Wakeup]

    @usableFromInline var readers: [Locked<EventStream<Event>.State>] = []

    @inlinable
    package init() {}

    @inlinable
    package var isEmpty: Bool { readers.isEmpty }

    @inlinable
    package mutating func add(_ stream: EventStream<Event>) { readers.append(stream.state) }

    /// Gives the event to all readers; the wake-ups are to be called once the lock is released.
    @inlinable
    package mutating func send(_ event: Event, isReplaceable: Bool = false) -> Wakeups {
        tell { $0.append(event, isReplaceable: isReplaceable) }
    }

    /// Gives events to all readers, none of them replaceable; as for one, the wake-ups come after the lock.
    @inlinable
    package mutating func send(contentsOf events: [Event]) -> Wakeups {
        tell { $0.append(contentsOf: events) }
    }

    @inlinable
    @inline(__always)
    mutating func tell(
        _ tell: (inout EventStream<Event>.State) -> EventStream<Event>.Wakeup?
    ) -> Wakeups {
        var wakeups: Wakeups = []
        var hasDropped = false
        for index in readers.indices {
            readers[index].withLock { reader in
                if let wakeup = tell(&reader) { wakeups.append(wakeup) }
                if reader.isFinished { hasDropped = true }
            }
        }
        if hasDropped { readers.removeAll { $0.withLock { $0.isFinished } } }
        return wakeups
    }

    /// Ends all streams.
    @inlinable
    package mutating func finish() -> Wakeups {
        defer { readers = [] }
        return readers.compactMap { $0.withLock { $0.finish() } }
    }
}
