import SteplineSupport

/// A record with the type of its result.
class TypedRecord<Success: Sendable>: TaskRecord, @unchecked Sendable {
    // the lock of `core` protects it until the record has ended; then it doesn't change any more
    /// The result of the last attempt; the outcome once the record has ended.
    final var result: Result<Success, any Error>?

    final override var hasSucceeded: Bool {
        if case .success = result { true } else { false }
    }

    override func conclude(_ error: (any Error)?) -> Delivery {
        if let error { result = .failure(error) }
        return super.conclude(error)
    }

    /// A callback as the record keeps it; it keeps the record until that ends.
    final func callback(
        on queue: CallbackContext, _ call: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) -> Delivery.Callback {
        Delivery.Callback(context: queue) { if let result = self.result { call(result) } }
    }
}
