import SteplineEngine
public import SteplineSupport

/// Callbacks that belong to an actor: what it guards may be touched in them.
extension Pipeline {
    /// Calls `body` with what the last step made on the main actor; otherwise as on a queue.
    @discardableResult
    public func onSuccess(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable ((any Sendable)?) -> Void
    ) -> Subscription {
        whenSucceeded(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and what the last step made, on that actor; otherwise as on a queue.
    @discardableResult
    public func onSuccess<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, (any Sendable)?) -> Void
    ) -> Subscription {
        whenSucceeded(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }

    /// Calls `body` with the error on the main actor; otherwise as on a queue.
    @discardableResult
    public func onFailure(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (PipelineError) -> Void
    ) -> Subscription {
        whenFailed(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the error, on that actor; otherwise as on a queue.
    @discardableResult
    public func onFailure<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, PipelineError) -> Void
    ) -> Subscription {
        whenFailed(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }

    /// Calls `body` with the outcome on the main actor; otherwise as on a queue.
    @discardableResult
    public func onEnd(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (Outcome<Content>) -> Void
    ) -> Subscription {
        whenEnded(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the outcome, on that actor; otherwise as on a queue.
    @discardableResult
    public func onEnd<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, Outcome<Content>) -> Void
    ) -> Subscription {
        whenEnded(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }
}
