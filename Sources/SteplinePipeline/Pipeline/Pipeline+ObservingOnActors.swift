import SteplineEngine
public import SteplineSupport

/// Callbacks that belong to an actor: what it guards may be touched in them.
extension Pipeline {
    /// Calls `body` with what the pipeline makes on the main actor; otherwise as on a queue.
    @discardableResult
    public func onSuccess(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (Output) -> Void
    ) -> Subscription {
        whenSucceeded(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and what the pipeline makes, on that actor; otherwise as on a queue.
    @discardableResult
    public func onSuccess<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, Output) -> Void
    ) -> Subscription {
        whenSucceeded(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }

    /// Calls `body` with the outcome on the main actor; otherwise as on a queue.
    @discardableResult
    public func onEnd(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (Outcome<Output>) -> Void
    ) -> Subscription {
        whenEnded(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the outcome, on that actor; otherwise as on a queue.
    @discardableResult
    public func onEnd<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, Outcome<Output>) -> Void
    ) -> Subscription {
        whenEnded(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }
}
