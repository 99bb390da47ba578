/// A reader's stream of an engine's events: all events in order from the subscription.
///
/// The stream buffers events that the reader hasn't taken. Of consecutive replaceable events (progress), only the
/// newest is kept for a slow reader. One task at a time may read: if a second task begins to wait, the first one
/// receives the end (nil). Cancelling a waiting task finishes the stream for good.
///
/// | Part | Used by |
/// | --- | --- |
/// | `state`: the buffer and the waiting reader | the engine, inside its own lock, and the reader |
/// | `share`: the events that the reader has taken over | the reader, so it doesn't delay the writer |
///
/// Lock order: `share` before `state`. The writer never takes `share`. Appending is amortized constant time.
@usableFromInline
package final class EventStream<Event: Sendable>: AsyncSequence, Sendable {
    @usableFromInline package typealias Element = Event
    @usableFromInline package typealias Failure = Never

    @usableFromInline
    package struct State {
        @usableFromInline var buffer: [Event] = []
        @usableFromInline var lastIsReplaceable = false
        @usableFromInline package var isFinished = false
        /// The wait of the task that reads; nil while no task waits.
        @usableFromInline var reader: Wakeup?

        @inlinable init() {}
    }

    /// The events that the reader has taken over from the buffer.
    ///
    /// A separate lock protects them, so a reader that takes a large buffer doesn't block the writer.
    @usableFromInline
    struct Share {
        @usableFromInline var events: [Event] = []
        @usableFromInline var given = 0
        /// Whether events arrive so fast that polling for the next one pays.
        @usableFromInline var isRushed = false

        @inlinable init() {}
    }

    /// A waiting reader with the event that it receives; woken after the engine's lock was released.
    ///
    /// A class, because moving a continuation's value requires runtime metadata.
    @usableFromInline
    package final class Wakeup: Waiter {
        @usableFromInline let reader: CheckedContinuation<Event?, Never>
        // Set before the reader leaves the stream's lock.
        @usableFromInline nonisolated(unsafe) var event: Event?

        @inlinable
        init(_ reader: CheckedContinuation<Event?, Never>) { self.reader = reader }

        @inlinable
        package func wake() { reader.resume(returning: event) }

        @inlinable
        package func callAsFunction() { wake() }
    }

    @usableFromInline package let state = Locked(State())
    // Lock order: `share` before `state`.
    @usableFromInline let share = Locked(Share())

    @inlinable
    package init() {}

    /// Stops a stream that can't be read any more.
    @inlinable
    deinit {
        let unread = state.withLock { state in
            state.isFinished = true
            defer { state.buffer = [] }
            return state.buffer
        }
        // Events are user values: release them after unlock.
        withExtendedLifetime(unread) {}
    }

    /// Appends an event.
    ///
    /// Call this under the engine's lock, and the returned wake-up after unlock.
    @inlinable
    package func append(_ event: Event, isReplaceable: Bool) -> Wakeup? {
        state.withLock { $0.append(event, isReplaceable: isReplaceable) }
    }

    /// Finishes the stream after the buffered events.
    @inlinable
    package func finish() -> Wakeup? { state.withLock { $0.finish() } }

    @inlinable
    package func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    @usableFromInline
    package struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let stream: EventStream

        @inlinable init(stream: EventStream) { self.stream = stream }

        @inlinable
        package func next() async -> Event? { await stream.next() }

        @inlinable
        package func next(isolation actor: isolated (any Actor)?) async -> Event? { await stream.next() }
    }

    @inlinable
    func next() async -> Event? {
        if let event = nextAtOnce() { return event }
        if let event = await nextInRush() { return event }
        defer { state.synchronize() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Both locks are held, so an event can't arrive between the check and the wait.
                let reader = Wakeup(continuation)
                let answered = share.withLock { share in
                    state.withLock { state in state.answer(reader, share.next(from: &state)) }
                }
                answered?()
            }
        } onCancel: {
            // A reader that was cancelled doesn't read again, so the stream can finish.
            finish()?()
        }
    }

    /// Returns the next event if it is available.
    @inlinable
    func nextAtOnce() -> Event? {
        share.withLock { share in
            share.next() ?? state.withLock { state in share.next(from: &state) }
        }
    }

    /// Polls for the next event while events arrive fast.
    ///
    /// Otherwise the engine would spend most of its time waking the reader.
    @usableFromInline
    func nextInRush() async -> Event? {
        guard share.withLock({ $0.isRushed }) else { return nil }
        for _ in 0..<20 {
            await Task.yield()
            if let event = nextAtOnce() { return event }
        }
        // No event within 20 polls: wait instead.
        share.withLock { $0.isRushed = false }
        return nil
    }
}

extension EventStream.Share {
    /// Returns the next event that was taken over.
    @inlinable
    mutating func next() -> Event? {
        guard given < events.count else { return nil }
        defer { given += 1 }
        return events[given]
    }

    /// Returns the next event, after taking over the buffer if necessary.
    @inlinable
    mutating func next(from state: inout EventStream.State) -> Event? {
        if given == events.count {
            // The writer continues with the emptied array.
            events.removeAll(keepingCapacity: events.capacity <= 4096)
            given = 0
            swap(&state.buffer, &events)
            if events.count >= 16 { isRushed = true }
        }
        return next()
    }
}

extension EventStream.State {
    @inlinable
    package mutating func append(_ event: Event, isReplaceable: Bool) -> EventStream.Wakeup? {
        guard !isFinished else { return nil }
        if let reader {
            self.reader = nil
            reader.event = event
            return reader
        }
        // The reader is slow: replace the last progress event.
        if isReplaceable, lastIsReplaceable, !buffer.isEmpty {
            buffer[buffer.count - 1] = event
        } else {
            buffer.append(event)
        }
        lastIsReplaceable = isReplaceable
        return nil
    }

    /// Appends events, none of them replaceable.
    @inlinable
    package mutating func append(contentsOf events: [Event]) -> EventStream.Wakeup? {
        var wakeup: EventStream.Wakeup?
        for event in events { wakeup = append(event, isReplaceable: false) ?? wakeup }
        return wakeup
    }

    @inlinable
    package mutating func finish() -> EventStream.Wakeup? {
        isFinished = true
        defer { reader = nil }
        return reader
    }

    /// Answers the reader with an event or the end, otherwise lets it wait.
    ///
    /// A reader that was already waiting receives the end: two tasks on one stream would each miss events.
    @inlinable
    mutating func answer(_ reader: EventStream.Wakeup, _ event: Event?) -> EventStream.Wakeup? {
        if event != nil || isFinished {
            reader.event = event
            return reader
        }
        defer { self.reader = reader }
        return self.reader
    }
}
