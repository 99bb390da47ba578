import SteplineEngine
public import SteplineSupport

/// Callbacks that run on an actor and may access its isolated state.
extension Pipeline {
    /// Calls `body` with the output on the main actor if the pipeline succeeds; see the variant for queues.
    @discardableResult
    public func onSuccess(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (Output) -> Void
    ) -> Subscription {
        whenSucceeded(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the output on that actor if the pipeline succeeds; see the variant for queues.
    @discardableResult
    public func onSuccess<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, Output) -> Void
    ) -> Subscription {
        whenSucceeded(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }

    /// Calls `body` with the outcome on the main actor at any end; see the variant for queues.
    @discardableResult
    public func onEnd(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (Outcome<Output>) -> Void
    ) -> Subscription {
        whenEnded(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the outcome on that actor at any end; see the variant for queues.
    @discardableResult
    public func onEnd<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, Outcome<Output>) -> Void
    ) -> Subscription {
        whenEnded(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }
}
