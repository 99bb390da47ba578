/// One reader's view of an engine's events: all of them, in order, from where it joined.
///
/// It buffers what its reader hasn't taken yet. Only the newest of a run of replaceable events (progress)
/// is kept while the reader lags. One task at a time may read it.
package final class EventStream<Event: Sendable>: AsyncSequence, Sendable {
    package typealias Element = Event
    package typealias Failure = Never

    struct State {
        var buffer: [Event] = []
        /// How many at the front of `buffer` have been taken.
        var taken = 0
        var lastIsReplaceable = false
        var isFinished = false
        var reader: CheckedContinuation<Event?, Never>?
    }

    /// A reader to be woken, once the engine's lock is released.
    package struct Wakeup {
        let reader: CheckedContinuation<Event?, Never>
        let event: Event?

        package func callAsFunction() { reader.resume(returning: event) }
    }

    private let state = Locked(State())

    package init() {}

    /// Adds an event.
    ///
    /// Call it under the engine's lock, and the wake-up it returns after.
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
    package func finish() -> Wakeup? {
        state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader.map { Wakeup(reader: $0, event: nil) }
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    package struct Iterator: AsyncIteratorProtocol {
        let stream: EventStream

        package func next() async -> Event? { await stream.next() }

        package func next(isolation actor: isolated (any Actor)?) async -> Event? { await stream.next() }
    }

    private func next() async -> Event? {
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
    fileprivate mutating func take(
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
