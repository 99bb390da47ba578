public import Dispatch
import SteplineEngine
public import SteplineSupport

extension TaskHandle {
    /// Calls `body` with what the task made, on `queue` or where it ends; at once if it has ended.
    ///
    /// In each place callbacks for any end come first, then these, each in order of registration. With an `owner` it can
    /// be withdrawn by ``removeCallbacks(of:)``, else by the subscription.
    @discardableResult
    @_disfavoredOverload
    public func onSuccess(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (Success) -> Void
    ) -> Subscription {
        whenSucceeded(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the error, if the task fails; as `onSuccess` does.
    @discardableResult
    @_disfavoredOverload
    public func onFailure(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (any Error) -> Void
    ) -> Subscription {
        whenFailed(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the outcome, however the task ends, cancelled included; as `onSuccess` does.
    @discardableResult
    @_disfavoredOverload
    public func onEnd(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (Outcome<Success>) -> Void
    ) -> Subscription {
        whenEnded(CallbackPlace(queue), owner, body)
    }

    /// Removes all of an owner's callbacks that have not begun.
    public func removeCallbacks(of owner: AnyObject) { door.removeCallbacks(of: owner, from: record) }

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
        door.add(record.callback(kind, owner: OwnerToken(owner), place: place, body), to: record)
    }
}
