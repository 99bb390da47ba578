/// One reader's view of an engine's events: all of them, in order, from where it joined.
///
/// It buffers what its reader hasn't taken yet. Only the newest of a run of replaceable events (progress)
/// is kept while the reader lags. One task at a time may read it.
@usableFromInline
package final class EventStream<Event: Sendable>: AsyncSequence, Sendable {
    @usableFromInline package typealias Element = Event
    @usableFromInline package typealias Failure = Never

    @usableFromInline
    package struct State {
        @usableFromInline var buffer: [Event] = []
        @usableFromInline var lastIsReplaceable = false
        @usableFromInline package var isFinished = false
        @usableFromInline var reader: Wakeup?

        @inlinable init() {}
    }

    /// What the reader has taken over and is still to be given.
    ///
    /// Behind a lock of its own, so that a reader who takes what has piled up doesn't hold back the writer.
    @usableFromInline
    struct Share {
        @usableFromInline var events: [Event] = []
        @usableFromInline var given = 0
        /// Whether events come so fast that the next is worth looking out for.
        @usableFromInline var isRushed = false

        @inlinable init() {}
    }

    /// A reader that waits, and what it is given when it is woken, once the engine's lock is released.
    ///
    /// An object: the continuation is of a type that only the runtime knows how to move about.
    @usableFromInline
    package final class Wakeup: Waiter {
        @usableFromInline let reader: CheckedContinuation<Event?, Never>
        // Set before the reader is handed out of the stream's lock, by whoever hands it out.
        @usableFromInline nonisolated(unsafe) var event: Event?

        @inlinable
        init(_ reader: CheckedContinuation<Event?, Never>) { self.reader = reader }

        @inlinable
        package func wake() { reader.resume(returning: event) }

        @inlinable
        package func callAsFunction() { wake() }
    }

    @usableFromInline package let state = Locked(State())
    // Where both locks are taken, this one is first.
    @usableFromInline let share = Locked(Share())

    @inlinable
    package init() {}

    /// A stream that nobody can read any more takes no further events.
    @inlinable
    deinit {
        let unread = state.withLock { state in
            state.isFinished = true
            defer { state.buffer = [] }
            return state.buffer
        }
        withExtendedLifetime(unread) {}
    }

    /// Adds an event.
    ///
    /// Call it under the engine's lock, and the wake-up it returns after.
    @inlinable
    package func append(_ event: Event, isReplaceable: Bool) -> Wakeup? {
        state.withLock { $0.append(event, isReplaceable: isReplaceable) }
    }

    /// Ends the stream behind what is buffered.
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
        defer { state.comeBehind() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let reader = Wakeup(continuation)
                let answered = share.withLock { share in
                    state.withLock { state in state.answer(reader, share.next(from: &state)) }
                }
                answered?()
            }
        } onCancel: {
            // Whoever cancels the reading task has no more use for this stream.
            finish()?()
        }
    }

    /// The next event, if there is one already.
    @inlinable
    func nextAtOnce() -> Event? {
        share.withLock { share in
            share.next() ?? state.withLock { state in share.next(from: &state) }
        }
    }

    /// The next event, if events come thick and fast and it comes in a moment.
    ///
    /// The engine would otherwise spend more time waking its reader than on anything else.
    @usableFromInline
    func nextInRush() async -> Event? {
        guard share.withLock({ $0.isRushed }) else { return nil }
        for _ in 0..<20 {
            await Task.yield()
            if let event = nextAtOnce() { return event }
        }
        share.withLock { $0.isRushed = false }
        return nil
    }
}

extension EventStream.Share {
    /// The next of what was taken over.
    @inlinable
    mutating func next() -> Event? {
        guard given < events.count else { return nil }
        defer { given += 1 }
        return events[given]
    }

    /// The next event, after everything that has piled up was taken over, if need be.
    @inlinable
    mutating func next(from state: inout EventStream.State) -> Event? {
        if given == events.count {
            // The writer goes on with the emptied array.
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
        if isReplaceable, lastIsReplaceable, !buffer.isEmpty {
            buffer[buffer.count - 1] = event
        } else {
            buffer.append(event)
        }
        lastIsReplaceable = isReplaceable
        return nil
    }

    /// Adds events none of which is replaceable.
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

    /// Answers the reader with the event, if there is one, or with the end; else lets it wait.
    ///
    /// A reader that waited already is answered with the end: two tasks on one stream would each miss half of it.
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
