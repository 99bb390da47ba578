public import Dispatch
import SteplineEngine
public import SteplineSupport

extension AnyPipeline {
    /// Calls `body` with the error, if the pipeline fails.
    ///
    /// On the queue it names, else where the pipeline ends; on one queue, callbacks come one by one in order of
    /// registration. Added after the end it is called at once, on its queue or the caller's thread. The owner
    /// is an identity for ``removeFailureCallbacks(of:)``, and isn't retained.
    @discardableResult
    @_disfavoredOverload
    public func onFailure(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (PipelineError) -> Void
    ) -> Subscription {
        whenFailed(CallbackPlace(queue), owner, body)
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

    /// Removes an owner's success callbacks, also those due that have not begun.
    ///
    /// If that took one away and nobody is left who wants the result (no success callback, no `run()` that
    /// waits), the pipeline is cancelled, with the reason `.unwanted`.
    public func removeSuccessCallbacks(of owner: AnyObject) {
        removeCallbacks { $0.kind == .success && $0.owner.belongs(to: owner) }
    }

    /// Removes an owner's failure callbacks, also those due that have not begun.
    ///
    /// Never cancels.
    public func removeFailureCallbacks(of owner: AnyObject) {
        removeCallbacks { $0.kind == .failure && $0.owner.belongs(to: owner) }
    }

    /// Removes all of an owner's callbacks, also those due that have not begun.
    ///
    /// Cancels where ``removeSuccessCallbacks(of:)`` does.
    public func removeCallbacks(of owner: AnyObject) {
        removeCallbacks { $0.owner.belongs(to: owner) }
    }

    func whenFailed(
        _ place: CallbackPlace, _ owner: AnyObject?, _ body: @escaping @Sendable (PipelineError) -> Void
    ) -> Subscription {
        register(.failure, owner, place) { end in
            if let error = end.error as? PipelineError { body(error) }
        }
    }

    func register(
        _ kind: Callbacks<PipelineEnd>.Kind, _ owner: AnyObject?, _ place: CallbackPlace,
        _ call: @escaping @Sendable (PipelineEnd) -> Void
    ) -> Subscription {
        register(Callbacks.Registration(kind, owner: OwnerToken(owner), place: place, call: call))
    }

    @discardableResult
    func register(_ registration: Callbacks<PipelineEnd>.Registration) -> Subscription {
        registration.place.mark()
        let number = send { $0.add(registration, &$1) }
        return Subscription { [weak self] in
            self?.removeCallbacks { $0.number == number }
        }
    }

    private func removeCallbacks(where isMeant: (Callbacks<PipelineEnd>.Registration) -> Bool) {
        let calendar = PipelineCalendar(options.clock)
        send { $0.remove(calendar, &$1, where: isMeant) }
    }
}
