public import Dispatch
import SteplineEngine
public import SteplineSupport

extension TaskHandle {
    /// Calls `body` with the task's value if the task succeeds.
    ///
    /// After the end, `body` is called at once. In each place, callbacks for any end come first, then success
    /// callbacks. Each group keeps the order of registration.
    ///
    /// - Parameters:
    ///   - queue: The queue of the call; nil for the thread on which the task ends.
    ///   - owner: An identity for ``removeCallbacks(of:)``, which isn't retained.
    ///   - body: The callback.
    /// - Returns: A subscription whose cancellation removes the callback.
    @discardableResult
    @_disfavoredOverload
    public func onSuccess(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (Success) -> Void
    ) -> Subscription {
        whenSucceeded(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the error if the task fails; see the variant for success.
    @discardableResult
    @_disfavoredOverload
    public func onFailure(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (any Error) -> Void
    ) -> Subscription {
        whenFailed(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the outcome at any end, including a cancellation; see the variant for success.
    @discardableResult
    @_disfavoredOverload
    public func onEnd(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (Outcome<Success>) -> Void
    ) -> Subscription {
        whenEnded(CallbackPlace(queue), owner, body)
    }

    /// Removes all callbacks of an owner that haven't begun.
    public func removeCallbacks(of owner: AnyObject) { control.removeCallbacks(of: owner, from: record) }

    func whenSucceeded(
        _ place: CallbackPlace, _ owner: AnyObject?, _ body: @escaping @Sendable (Success) -> Void
    ) -> Subscription {
        add(.success, place, owner) { if case .success(let value) = $0 { body(value) } }
    }

    func whenFailed(
        _ place: CallbackPlace, _ owner: AnyObject?, _ body: @escaping @Sendable (any Error) -> Void
    ) -> Subscription {
        add(.failure, place, owner) { if case .failure(let error) = $0 { body(error) } }
    }

    func whenEnded(
        _ place: CallbackPlace, _ owner: AnyObject?, _ body: @escaping @Sendable (Outcome<Success>) -> Void
    ) -> Subscription {
        add(.end, place, owner, body)
    }

    private func add(
        _ kind: Callbacks<Void>.Kind, _ place: CallbackPlace, _ owner: AnyObject?,
        _ body: @escaping @Sendable (Outcome<Success>) -> Void
    ) -> Subscription {
        control.add(record.callback(kind, owner: OwnerToken(owner), place: place, body), to: record)
    }
}
