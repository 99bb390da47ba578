import SteplineEngine
import SteplineSupport

/// A record with the type of its result.
class TypedRecord<Success: Sendable>: TaskRecord, @unchecked Sendable {
    // the lock of its manager protects it until the record has ended; then it doesn't change any more
    /// The result of the last attempt.
    private final var result: ResultBox<Success>?

    /// The stored result, for the reactors.
    final var keptResult: ResultBox<Success>? { result }

    /// The outcome; nil before the end.
    ///
    /// Read this under the lock, or after the end.
    final var outcome: Outcome<Success>? {
        switch ending {
        case nil: nil
        case .failure(let error): .failure(error)
        case .cancelled(let reason): .cancelled(reason)
        case .result:
            switch result?.result {
            case .success(let value): .success(value)
            case .failure(let error): .failure(error)
            case nil: nil
            }
        }
    }

    final override var failure: (any Error)? { outcome?.error }

    final override func keep(_ end: BodyEnd) -> (any AnyObject & Sendable)? {
        guard let new = end.result as? ResultBox<Success> else { return end.result }
        defer { result = new }
        hasSucceeded = end.hasSucceeded
        return result
    }

    final override func failed(with error: any Error) -> BodyEnd {
        BodyEnd(
            result: ResultBox<Success>(.failure(error)), hasSucceeded: false,
            outside: error as? OutsideCancellation)
    }

    override func conclude(with ending: TaskEnding) -> TaskLeftovers {
        var leftovers = super.conclude(with: ending)
        // Another outcome has replaced the result, which may own user objects.
        if case .result = ending { return leftovers }
        leftovers.result = result
        result = nil
        return leftovers
    }

    /// Returns a callback that retains the record until it is called.
    final func callback(
        _ kind: Callbacks<Void>.Kind, owner: OwnerToken = OwnerToken(nil), place: CallbackPlace,
        _ call: @escaping @Sendable (Outcome<Success>) -> Void
    ) -> Callbacks<Void>.Registration {
        Callbacks<Void>.Registration(kind, owner: owner, place: place) {
            // An ended record doesn't change, so no lock is needed.
            if let outcome = self.outcome { call(outcome) }
        }
    }
}

/// A result in a box.
final class ResultBox<Success: Sendable>: FailableResult {
    let result: Result<Success, any Error>

    var error: (any Error)? {
        if case .failure(let error) = result { error } else { nil }
    }

    init(_ result: Result<Success, any Error>) {
        self.result = result
    }
}

/// A result without its type.
protocol FailableResult: AnyObject, Sendable {
    /// The error; nil for a success.
    var error: (any Error)? { get }
}
