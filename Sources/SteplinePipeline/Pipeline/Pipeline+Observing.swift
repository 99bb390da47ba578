public import Dispatch
public import SteplineSupport

extension Pipeline {
    /// Calls `body` with what the last step made, if the pipeline succeeds.
    ///
    /// On the queue it names, else where the pipeline ends; on one queue, callbacks come one by one in order of
    /// registration. Added after the end it is called at once, on its queue or the caller's thread. The owner
    /// is an identity for ``removeSuccessObservers(of:)``, and isn't retained.
    @discardableResult
    public func onSuccess(
        for owner: AnyObject? = nil, on queue: DispatchQueue? = nil,
        _ body: @escaping @Sendable (Pipeline, (any Sendable)?) -> Void
    ) -> Subscription {
        register(callback(owner, queue, .success(body)))
    }

    /// Calls `body` with the error, if the pipeline fails; otherwise as ``onSuccess(for:on:_:)``.
    @discardableResult
    public func onFailure(
        for owner: AnyObject? = nil, on queue: DispatchQueue? = nil,
        _ body: @escaping @Sendable (Pipeline, PipelineError) -> Void
    ) -> Subscription {
        register(callback(owner, queue, .failure(body)))
    }

    /// Calls `body` with the outcome, whatever it is, ahead of success and failure callbacks on that queue.
    @discardableResult
    public func onEnd(
        for owner: AnyObject? = nil, on queue: DispatchQueue? = nil,
        _ body: @escaping @Sendable (Pipeline, Outcome) -> Void
    ) -> Subscription {
        register(callback(owner, queue, .end(body)))
    }

    /// Removes an owner's success callbacks, also those due that have not begun.
    ///
    /// If that took one away and nobody is left who wants the result (no success observer, no `run()` that
    /// waits), the pipeline is cancelled: ``CancellationReason/unwanted``.
    public func removeSuccessObservers(of owner: AnyObject) {
        removeCallbacks { $0.isForSuccess && $0.owner.belongs(to: owner) }
    }

    /// Removes an owner's failure callbacks, also those due that have not begun.
    ///
    /// Never cancels.
    public func removeFailureObservers(of owner: AnyObject) {
        removeCallbacks { $0.isForFailure && $0.owner.belongs(to: owner) }
    }

    private func callback(
        _ owner: AnyObject?, _ queue: DispatchQueue?, _ body: PipelineCallback.Body
    ) -> PipelineCallback {
        PipelineCallback(owner: OwnerToken(owner), context: CallbackContext(queue), body: body)
    }

    @discardableResult
    func register(_ callback: PipelineCallback) -> Subscription {
        let (id, effects) = machine.withLock { $0.add(callback) }
        perform(effects)
        return Subscription { [weak self] in
            self?.removeCallbacks { $0.id == id }
        }
    }

    private func removeCallbacks(where isMeant: (PipelineCallback) -> Bool) {
        let moment = PipelineMoment(options.clock)
        perform(machine.withLock { $0.remove(moment, where: isMeant) })
    }

    /// Calls what is due in one delivery, one after the other, for as long as it is due.
    func deliver(_ outcome: Outcome, _ delivery: UInt64, in context: CallbackContext) {
        context.perform { [self] in
            while let callback = machine.withLock({ $0.claimCallback(of: delivery) }) {
                switch (callback.body, outcome) {
                case (.end(let body), _): body(self, outcome)
                case (.success(let body), _): body(self, output)
                case (.failure(let body), .failed(let error)): body(self, error)
                case (.failure, _): break
                }
            }
        }
    }
}
