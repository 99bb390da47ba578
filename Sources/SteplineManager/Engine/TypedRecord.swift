import SteplineSupport

/// A record with the type of its result.
class TypedRecord<Success: Sendable>: TaskRecord, @unchecked Sendable {
    // the lock of `core` protects it until the record has ended; then it doesn't change any more
    /// The result of the last attempt; the outcome once the record has ended.
    final var result: ResultBox<Success>?

    final override func keep(_ end: BodyEnd) -> Released.Object? {
        defer { hasSucceeded = end.hasSucceeded }
        let old = result
        // Made by `execute` of this same record.
        result = end.result.map { unsafeDowncast($0, to: ResultBox<Success>.self) }
        return old
    }

    override func conclude(_ error: (any Error)?) -> Delivery {
        var delivery = super.conclude(error)
        guard let error else { return delivery }
        delivery.result = result
        result = ResultBox(.failure(error))
        return delivery
    }

    /// A callback as the record keeps it; it keeps the record until that ends.
    final func callback(
        on queue: CallbackContext, _ call: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) -> Delivery.Callback {
        Delivery.Callback(context: queue) { if let result = self.result { call(result.result) } }
    }
}
