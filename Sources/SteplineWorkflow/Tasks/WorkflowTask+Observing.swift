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

    final var listeners: [TaskListener] { face.withLock { $0.extras?.listeners ?? [] } }

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
        _ kind: TaskListener.Kind, _ place: CallbackPlace, _ owner: AnyObject?,
        _ call: @escaping @Sendable (Change) -> Void
    ) -> Subscription {
        place.mark()
        func register(since: Int) -> TaskListener {
            face.withLock { face in
                let extras = face.makeExtras()
                extras.lastListener += 1
                let listener = TaskListener(
                    kind, id: extras.lastListener, since: since, owner: owner, place: place, call: call)
                extras.listeners.append(listener)
                return listener
            }
        }
        // Registered under the machine's lock: later decisions are reported to the listener, earlier ones aren't.
        let (listener, now): (TaskListener, Snapshot)
        let home = home
        if let (core, number) = home {
            (listener, now) = core.look { machine in
                // From here on the machine creates the changes of this task.
                machine.tasks.insert(.watched, number)
                return (register(since: machine.story.count), machine.snapshot(number))
            }
        } else {
            (listener, now) = (register(since: 0), snapshot)
        }
        if let kind = now.state.endKind {
            let change = Change(oldState: now.state, snapshot: now)
            // The task has ended before: report the end to callbacks at once, but not to observers of changes.
            if listener.kind != .change, listener.wants(TaskChange(kind, change, event: .max)) {
                let call: @Sendable () -> Void = { listener.tell(change) }
                // Queued like a callback at the end itself: a cancel on that queue then withdraws it.
                if let (core, number) = home, now.state != .cancelled {
                    core.deliveries.add(number, place, call)
                } else {
                    place.perform(call)
                }
            }
        }
        return Subscription { [weak self] in
            listener.end()
            self?.remove { $0 === listener }
        }
    }

    private func remove(where isMeant: (TaskListener) -> Bool) {
        // Release the removed listeners after unlock.
        let before = face.withLock { face in
            let before = face.extras?.listeners ?? []
            // The closures own user objects, so `before` keeps them until after unlock.
            face.extras?.listeners.removeAll(where: isMeant)
            return before
        }
        // A call that is already on its way checks this mark.
        for listener in before where isMeant(listener) { listener.end() }
    }
}

extension WorkflowTask.State {
    /// The change that leads to this final state; nil for other states.
    fileprivate var endKind: TaskChange.Kind? {
        switch self {
        case .finished: .finished
        case .failed: .failed
        case .cancelled: .cancelled(.requested)
        case .pending, .ready, .executing: nil
        }
    }
}
