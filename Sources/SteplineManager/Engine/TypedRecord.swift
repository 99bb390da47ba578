import SteplineSupport

/// A record with the type of its result.
class TypedRecord<Success: Sendable>: TaskRecord, @unchecked Sendable {  // the lock of `core` protects all variables
    typealias Callback = @Sendable (Result<Success, any Error>) -> Void

    /// The result of the last attempt; the outcome once the record has ended.
    final var result: Result<Success, any Error>?
    final var completion: (context: CallbackContext, call: Callback)?
    final var observers: [(context: CallbackContext, call: Callback)] = []
    private var waiters: [Int: @Sendable () -> Void] = [:]
    private var lastWaiter = 0

    /// Keeps who waits for the end; nil if it has come.
    final func addWaiter(_ wake: @escaping @Sendable () -> Void) -> Int? {
        guard outcome == nil else { return nil }
        lastWaiter += 1
        waiters[lastWaiter] = wake
        return lastWaiter
    }

    final func removeWaiter(_ id: Int) -> (@Sendable () -> Void)? { waiters.removeValue(forKey: id) }

    final override var hasSucceeded: Bool {
        if case .success = result { true } else { false }
    }

    override func conclude(_ error: (any Error)?) -> Delivery {
        if let error { result = .failure(error) }
        var delivery = Delivery()
        guard let result else { return delivery }
        if !waiters.isEmpty {
            delivery.waiters = waiters.sorted { $0.key < $1.key }.map(\.value)
            waiters = [:]
        }
        if let completion { delivery.callbacks.append((completion.context, { completion.call(result) })) }
        for observer in observers { delivery.callbacks.append((observer.context, { observer.call(result) })) }
        completion = nil
        observers = []
        return delivery
    }
}
