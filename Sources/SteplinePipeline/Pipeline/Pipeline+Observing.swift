public import Dispatch
import SteplineEngine
public import SteplineSupport

extension Pipeline {
    /// Calls `body` with what the pipeline makes, if the pipeline succeeds.
    ///
    /// On the queue it names, else where the pipeline ends; on one queue, callbacks come one by one in order of
    /// registration. Added after the end it is called at once, on its queue or the caller's thread. The owner
    /// is an identity for ``AnyPipeline/removeSuccessCallbacks(of:)``, and isn't retained.
    @discardableResult
    @_disfavoredOverload
    public func onSuccess(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (Output) -> Void
    ) -> Subscription {
        whenSucceeded(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the outcome, whatever it is, ahead of success and failure callbacks on that queue.
    @discardableResult
    @_disfavoredOverload
    public func onEnd(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (Outcome<Output>) -> Void
    ) -> Subscription {
        whenEnded(CallbackPlace(queue), owner, body)
    }

    func whenSucceeded(
        _ place: CallbackPlace, _ owner: AnyObject?, _ body: @escaping @Sendable (Output) -> Void
    ) -> Subscription {
        register(.success, owner, place) { [outputKey] end in
            if let value = end.read(outputKey).value { body(value) }
        }
    }

    func whenEnded(
        _ place: CallbackPlace, _ owner: AnyObject?, _ body: @escaping @Sendable (Outcome<Output>) -> Void
    ) -> Subscription {
        register(.end, owner, place) { [outputKey] in body($0.read(outputKey)) }
    }
}
