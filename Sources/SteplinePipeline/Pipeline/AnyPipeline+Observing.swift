public import Dispatch
import SteplineEngine
public import SteplineSupport

extension AnyPipeline {
    /// Calls `body` with the error if the pipeline fails.
    ///
    /// Callbacks on one queue run one at a time, in order of registration. After the end, `body` is called at once: on
    /// its queue, or without one on the caller's thread.
    ///
    /// - Parameters:
    ///   - queue: The queue of the call; nil for the thread on which the pipeline ends.
    ///   - owner: An identity for ``removeFailureCallbacks(of:)``, which isn't retained.
    ///   - body: The callback.
    /// - Returns: A subscription whose cancellation removes the callback.
    @discardableResult
    @_disfavoredOverload
    public func onFailure(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (PipelineError) -> Void
    ) -> Subscription {
        whenFailed(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the error on the main actor if the pipeline fails; see the variant for queues.
    @discardableResult
    public func onFailure(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (PipelineError) -> Void
    ) -> Subscription {
        whenFailed(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the error on that actor if the pipeline fails; see the variant for queues.
    @discardableResult
    public func onFailure<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, PipelineError) -> Void
    ) -> Subscription {
        whenFailed(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }

    /// Removes an owner's success callbacks, including due callbacks that haven't begun.
    ///
    /// The pipeline is cancelled with the reason `.unwanted` if this removes the last listener for the result. Success
    /// callbacks and waiting calls of `run()` are such listeners.
    ///
    /// - Parameter owner: The owner that was passed at registration.
    public func removeSuccessCallbacks(of owner: AnyObject) {
        removeCallbacks { $0.kind == .success && $0.owner.belongs(to: owner) }
    }

    /// Removes an owner's failure callbacks, including due callbacks that haven't begun.
    ///
    /// This never cancels the pipeline.
    ///
    /// - Parameter owner: The owner that was passed at registration.
    public func removeFailureCallbacks(of owner: AnyObject) {
        removeCallbacks { $0.kind == .failure && $0.owner.belongs(to: owner) }
    }

    /// Removes all callbacks of an owner, including due callbacks that haven't begun.
    ///
    /// The pipeline is cancelled under the conditions of ``removeSuccessCallbacks(of:)``.
    ///
    /// - Parameter owner: The owner that was passed at registration.
    public func removeCallbacks(of owner: AnyObject) {
        // First: the removal below can cancel the pipeline, whose events call progress listeners.
        removeProgressListeners(of: owner)
        removeCallbacks { $0.owner.belongs(to: owner) }
    }

    func whenFailed(
        _ place: CallbackPlace, _ owner: AnyObject?, _ body: @escaping @Sendable (PipelineError) -> Void
    ) -> Subscription {
        register(.failure, owner, place) { end in
            // The cast always succeeds: a pipeline fails with this type only.
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
        // Before the registration: a cancellation finds callbacks that are due here by the mark.
        registration.place.mark()
        let number = send { $0.add(registration, &$1) }
        // A callback that wasn't kept has the number 0, which no other callback has: the removal finds nothing.
        return Subscription { [weak self] in
            self?.removeCallbacks { $0.number == number }
        }
    }

    private func removeCallbacks(where isMeant: (Callbacks<PipelineEnd>.Registration) -> Bool) {
        // A removal can cancel the pipeline, whose event needs a date; the clock must be read without the lock.
        let calendar = PipelineCalendar(options.clock)
        send { $0.remove(calendar, &$1, where: isMeant) }
    }
}
