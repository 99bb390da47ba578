public import Dispatch
import SteplineEngine
public import SteplineSupport

extension Pipeline {
    /// Calls `body` with the output if the pipeline succeeds.
    ///
    /// Callbacks on one queue run one at a time, in order of registration. After the end, `body` is called at once: on
    /// its queue, or without one on the caller's thread.
    ///
    /// - Parameters:
    ///   - queue: The queue of the call; nil for the thread on which the pipeline ends.
    ///   - owner: An identity for ``AnyPipeline/removeSuccessCallbacks(of:)``, which isn't retained.
    ///   - body: The callback.
    /// - Returns: A subscription whose cancellation removes the callback.
    @discardableResult
    @_disfavoredOverload
    public func onSuccess(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (Output) -> Void
    ) -> Subscription {
        whenSucceeded(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the outcome at any end, before the success and failure callbacks on that queue.
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
        // Captures the key and not the pipeline: the pipeline stores the callback, and would retain itself.
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
