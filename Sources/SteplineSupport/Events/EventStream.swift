/// One reader's view of an engine's events: all of them, in order, from where it joined.
///
/// It buffers what its reader hasn't taken yet. Only the newest of a run of replaceable events (progress)
/// is kept while the reader lags. One task at a time may read it.
@usableFromInline
package final class EventStream<Event: Sendable>: AsyncSequence, Sendable {
    @usableFromInline package typealias Element = Event
    @usableFromInline package typealias Failure = Never

    @usableFromInline
    struct State {
        @usableFromInline var buffer: [Event] = []
        /// How many at the front of `buffer` have been taken.
        @usableFromInline var taken = 0
        @usableFromInline var lastIsReplaceable = false
        @usableFromInline var isFinished = false
        @usableFromInline var reader: CheckedContinuation<Event?, Never>?

        @inlinable init() {}
    }

    /// A reader to be woken, once the engine's lock is released.
    @usableFromInline
    package struct Wakeup: Sendable {
        @usableFromInline let reader: CheckedContinuation<Event?, Never>
        @usableFromInline let event: Event?

        @inlinable
        init(reader: CheckedContinuation<Event?, Never>, event: Event?) {
            self.reader = reader
            self.event = event
        }

        @inlinable
        package func callAsFunction() { reader.resume(returning: event) }
    }

    @usableFromInline let state = Locked(State())

    @inlinable
    package init() {}

    /// Adds an event.
    ///
    /// Call it under the engine's lock, and the wake-up it returns after.
    @inlinable
    package func append(_ event: Event, isReplaceable: Bool) -> Wakeup? {
        state.withLock { state in
            guard !state.isFinished else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return Wakeup(reader: reader, event: event)
            }
            if isReplaceable, state.lastIsReplaceable, state.taken < state.buffer.count {
                state.buffer[state.buffer.count - 1] = event
            } else {
                state.buffer.append(event)
            }
            state.lastIsReplaceable = isReplaceable
            return nil
        }
    }

    /// Ends the stream behind what is buffered.
    @inlinable
    package func finish() -> Wakeup? {
        state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader.map { Wakeup(reader: $0, event: nil) }
        }
    }

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
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let (displaced, answer) = state.withLock { state in state.take(for: reader) }
                displaced?.resume(returning: nil)
                answer?()
            }
        } onCancel: {
            // Whoever cancels the reading task has no more use for this stream.
            finish()?()
        }
    }
}

extension EventStream.State {
    /// Answers the reader at once if there is something to say, else lets it wait.
    ///
    /// A reader that waited already is displaced: two tasks on one stream would each miss half of it.
    @inlinable
    mutating func take(
        for reader: CheckedContinuation<Event?, Never>
    ) -> (displaced: CheckedContinuation<Event?, Never>?, answer: EventStream.Wakeup?) {
        if taken < buffer.count {
            let event = buffer[taken]
            taken += 1
            if taken == buffer.count {
                buffer.removeAll(keepingCapacity: true)
                taken = 0
            } else if taken >= 64, 2 * taken >= buffer.count {
                buffer.removeFirst(taken)
                taken = 0
            }
            return (nil, EventStream.Wakeup(reader: reader, event: event))
        }
        guard !isFinished else { return (nil, EventStream.Wakeup(reader: reader, event: nil)) }
        let displaced = self.reader
        self.reader = reader
        return (displaced, nil)
    }
}
