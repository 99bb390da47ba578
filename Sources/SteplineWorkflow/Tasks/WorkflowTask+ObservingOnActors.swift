import SteplineEngine
public import SteplineSupport

/// Callbacks that run on an actor and may access its isolated state.
extension WorkflowTask {
    /// Calls `body` with the result on the main actor each time the task finishes; see the variant for queues.
    @discardableResult
    public final func onSuccess(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable ((any Sendable)?) -> Void
    ) -> Subscription {
        whenSucceeded(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the result on that actor each time the task finishes; see the variant for
    /// queues.
    @discardableResult
    public final func onSuccess<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, (any Sendable)?) -> Void
    ) -> Subscription {
        whenSucceeded(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }

    /// Calls `body` with the error on the main actor each time the task fails; see the variant for queues.
    @discardableResult
    public final func onFailure(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) -> Subscription {
        whenFailed(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the error on that actor each time the task fails; see the variant for queues.
    @discardableResult
    public final func onFailure<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, (any Error)?) -> Void
    ) -> Subscription {
        whenFailed(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }

    /// Calls `body` with the outcome on the main actor each time the task ends; see the variant for queues.
    @discardableResult
    public final func onEnd(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (Outcome<(any Sendable)?>) -> Void
    ) -> Subscription {
        whenEnded(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the outcome on that actor each time the task ends; see the variant for queues.
    @discardableResult
    public final func onEnd<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, Outcome<(any Sendable)?>) -> Void
    ) -> Subscription {
        whenEnded(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }
}
