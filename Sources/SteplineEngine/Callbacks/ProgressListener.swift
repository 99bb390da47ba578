package import SteplineSupport

/// A callback that is called with the newest progress, until it is ended.
///
/// A reader of events marks the listener as due. The value is read at the call: a slow place skips the values in
/// between, and at most one call waits. A value that equals the one before causes no call. No lock is held during a
/// call.
package final class ProgressListener<Progress: Sendable & Equatable>: Sendable {
    private struct State {
        /// Whether a call was handed to the place and hasn't begun.
        var isDue = false
        var isOver = false
        /// The value of the last call.
        var last: Progress?
        /// Finishes the events that the listener follows.
        var stop: (@Sendable () -> Void)?
    }

    private let place: CallbackPlace
    private let owner: OwnerToken
    private let read: @Sendable () -> Progress?
    private let values: @Sendable () -> PropagatedValues?
    private let call: @Sendable (Progress) -> Void
    private let state = Locked(State())

    /// Creates a listener.
    ///
    /// - Parameters:
    ///   - place: The place of the calls.
    ///   - owner: The owner, which isn't retained.
    ///   - read: Returns the current progress; nil ends the calls.
    ///   - values: Returns the task-local values of the run.
    ///   - call: The callback.
    package init(
        _ place: CallbackPlace, _ owner: AnyObject?, reading read: @escaping @Sendable () -> Progress?,
        with values: @escaping @Sendable () -> PropagatedValues? = { nil },
        _ call: @escaping @Sendable (Progress) -> Void
    ) {
        self.place = place
        self.owner = OwnerToken(owner)
        self.read = read
        self.values = values
        self.call = call
        place.mark()
    }

    package func belongs(to owner: AnyObject) -> Bool { self.owner.belongs(to: owner) }

    /// Calls back after each event, until the events finish or the listener is ended.
    package func follow<Event: Sendable>(_ events: EventStream<Event>) {
        let stop: @Sendable () -> Void = { events.finish()?.wake() }
        let isOver = state.withLock { state in
            if !state.isOver { state.stop = stop }
            return state.isOver
        }
        // Ended between its registration and this call: without a reader the events would gather until the source ends.
        guard !isOver else { return stop() }
        // The task retains the listener until the events finish: at the engine's end, or by ``end()``.
        _ = Stages.detachedTask { [self] in
            for await _ in events { becomeDue() }
        }
    }

    /// Ends the calls.
    ///
    /// No event causes another call. One that another thread has decided to make just before may still begin.
    package func end() {
        let stop = state.withLock { state in
            state.isOver = true
            defer { state.stop = nil }
            return state.stop
        }
        // After unlock: finishing takes the stream's lock and resumes the task that reads the events.
        stop?()
    }

    private func becomeDue() {
        let isNew = state.withLock { state in
            // The call that is due reads the newest value when it begins, so this event needs no call of its own.
            guard !state.isDue, !state.isOver else { return false }
            state.isDue = true
            return true
        }
        guard isNew else { return }
        PropagatedValues.call(with: values()) { place.perform { [self] in deliver() } }
    }

    private func deliver() {
        let isOver = state.withLock { state in
            // Cleared before the value is read: a later event causes another call.
            state.isDue = false
            return state.isOver
        }
        guard !isOver, let progress = read() else { return }
        let isNew = state.withLock { state in
            defer { state.last = progress }
            return state.last != progress
        }
        if isNew { call(progress) }
    }
}

extension Array {
    /// Removes an owner's listeners, and returns them: the caller ends and releases them after unlock.
    package mutating func take<Progress: Equatable>(of owner: AnyObject) -> [Element]
    where Element == ProgressListener<Progress> {
        defer { removeAll { $0.belongs(to: owner) } }
        return filter { $0.belongs(to: owner) }
    }
}
