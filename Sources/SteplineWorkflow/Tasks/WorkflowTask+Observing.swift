public import Dispatch
import SteplineEngine
public import SteplineSupport

extension WorkflowTask {
    /// Calls `observer` at each change of state, until the subscription is cancelled.
    ///
    /// The call comes on the thread of the event, or on the workflow's `callbackQueue`. A reset of a task without open
    /// prerequisites is two changes, to Pending and to Ready.
    ///
    /// - Parameter observer: The observer.
    /// - Returns: The subscription.
    public final func observe(_ observer: @escaping @Sendable (Change) -> Void) -> Subscription {
        listen(.change, .anywhere, nil, observer)
    }

    /// Calls `body` with the result each time the task finishes, and at once if it has finished.
    ///
    /// - Parameters:
    ///   - queue: The queue of the call; nil for the thread on which the task ends.
    ///   - owner: An identity for ``removeCallbacks(of:)``, which isn't retained.
    ///   - body: The callback.
    /// - Returns: A subscription whose cancellation removes the callback.
    @discardableResult
    @_disfavoredOverload
    public final func onSuccess(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable ((any Sendable)?) -> Void
    ) -> Subscription {
        whenSucceeded(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the error each time the task fails finally; see the variant for success.
    ///
    /// The error is nil if the task was failed without one.
    @discardableResult
    @_disfavoredOverload
    public final func onFailure(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable ((any Error)?) -> Void
    ) -> Subscription {
        whenFailed(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the outcome each time the task ends, including cancellations.
    ///
    /// On one queue the call precedes success and failure callbacks. See the variant for success.
    @discardableResult
    @_disfavoredOverload
    public final func onEnd(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (Outcome<(any Sendable)?>) -> Void
    ) -> Subscription {
        whenEnded(CallbackPlace(queue), owner, body)
    }

    /// Removes all callbacks of an owner; none of them begins afterwards.
    public final func removeCallbacks(of owner: AnyObject) { remove { $0.owner.belongs(to: owner) } }

    final var listeners: [Listener<Change>] { observers.listeners }

    /// The listeners and the delegate, read in one lock.
    final var observers: (listeners: [Listener<Change>], delegate: (any WorkflowTaskDelegate)?) {
        face.withLock { face in face.extras.map { ($0.listeners, $0.delegate) } ?? ([], nil) }
    }

    final func whenSucceeded(
        _ place: CallbackPlace, _ owner: AnyObject?, _ body: @escaping @Sendable ((any Sendable)?) -> Void
    ) -> Subscription {
        listen(.success, place, owner) { body($0.snapshot.result) }
    }

    final func whenFailed(
        _ place: CallbackPlace, _ owner: AnyObject?, _ body: @escaping @Sendable ((any Error)?) -> Void
    ) -> Subscription {
        listen(.failure, place, owner) { body($0.snapshot.error) }
    }

    final func whenEnded(
        _ place: CallbackPlace, _ owner: AnyObject?,
        _ body: @escaping @Sendable (Outcome<(any Sendable)?>) -> Void
    ) -> Subscription {
        let name = name
        return listen(.end, place, owner) { change in
            if let outcome = change.snapshot.outcome(of: name) { body(outcome) }
        }
    }

    private func listen(
        _ kind: ListenerKind, _ place: CallbackPlace, _ owner: AnyObject?,
        _ call: @escaping @Sendable (Change) -> Void
    ) -> Subscription {
        place.mark()
        func register(since: Int) -> Listener<Change> {
            let listener = Listener(kind, since: since, owner: owner, place: place, call: call)
            face.withLock { $0.makeExtras().listeners.append(listener) }
            return listener
        }
        // Registered under the machine's lock: the listener is notified of later changes, and of no earlier ones.
        let (listener, now): (Listener<Change>, Snapshot)
        let home = home
        if let (core, number) = home {
            (listener, now) = core.look { machine in
                // From here on the machine creates the changes of this task.
                machine.tasks.insert(.watched, number)
                return (register(since: machine.eventLog.count), machine.snapshot(number))
            }
        } else {
            (listener, now) = (register(since: 0), snapshot)
        }
        // The task has ended before: its last event isn't newer than the registration, so the listener is called here.
        if kind != .change, kind.includes(now.state) {
            let change = Change(oldState: now.state, snapshot: now)
            let call: @Sendable () -> Void = { listener.notify(change) }
            // As a call at the end itself, this one is withdrawn by a cancel on its queue.
            if let (core, number) = home, now.state != .cancelled {
                core.deliveries.add(number, place, call)
            } else {
                place.perform(call)
            }
        }
        return Subscription { [weak self] in
            listener.end()
            self?.remove { $0 === listener }
        }
    }

    private func remove(where isMeant: (Listener<Change>) -> Bool) {
        let removed = face.withLock { $0.extras?.listeners.take(where: isMeant) }
        for listener in removed ?? [] { listener.end() }
    }
}
