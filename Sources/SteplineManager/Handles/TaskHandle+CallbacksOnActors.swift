import SteplineEngine
public import SteplineSupport

/// Callbacks that run on an actor and may access its isolated state.
extension TaskHandle {
    /// Calls `body` with the value on the main actor if the task succeeds; see the variant for queues.
    @discardableResult
    public func onSuccess(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (Success) -> Void
    ) -> Subscription {
        whenSucceeded(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the value on that actor if the task succeeds; see the variant for queues.
    @discardableResult
    public func onSuccess<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, Success) -> Void
    ) -> Subscription {
        whenSucceeded(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }

    /// Calls `body` with the error on the main actor if the task fails; see the variant for queues.
    @discardableResult
    public func onFailure(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (any Error) -> Void
    ) -> Subscription {
        whenFailed(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the error on that actor if the task fails; see the variant for queues.
    @discardableResult
    public func onFailure<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, any Error) -> Void
    ) -> Subscription {
        whenFailed(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }

    /// Calls `body` with the outcome on the main actor at any end; see the variant for queues.
    @discardableResult
    public func onEnd(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (Outcome<Success>) -> Void
    ) -> Subscription {
        whenEnded(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the outcome on that actor at any end; see the variant for queues.
    @discardableResult
    public func onEnd<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, Outcome<Success>) -> Void
    ) -> Subscription {
        whenEnded(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }
}
