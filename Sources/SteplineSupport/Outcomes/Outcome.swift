/// The outcome of some work: a value, an error, or a cancellation.
///
/// All modules use this type. ``get()`` converts an outcome to the form of `run()`: it returns the value or throws.
public enum Outcome<Success: Sendable>: Sendable {
    /// The work has a value.
    case success(Success)
    /// The work has failed; the error belongs to the module and contains the cause.
    case failure(any Error)
    /// The work was cancelled before its end.
    case cancelled(CancellationReason)

    /// The value; nil after a failure or cancellation.
    public var value: Success? { if case .success(let value) = self { value } else { nil } }

    /// The error; nil after a success or cancellation.
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }

    /// The reason of the cancellation; nil after a success or failure.
    public var cancellation: CancellationReason? {
        if case .cancelled(let reason) = self { reason } else { nil }
    }

    /// Whether the work succeeded.
    public var isSuccess: Bool { value != nil }

    /// Returns the value; throws the error, or `CancellationError` after a cancellation.
    public func get() throws -> Success {
        switch self {
        case .success(let value): value
        case .failure(let error): throw error
        case .cancelled: throw CancellationError()
        }
    }

    /// Returns the outcome with a transformed value.
    public func map<Other: Sendable>(_ transform: (Success) throws -> Other) rethrows -> Outcome<Other> {
        switch self {
        case .success(let value): .success(try transform(value))
        case .failure(let error): .failure(error)
        case .cancelled(let reason): .cancelled(reason)
        }
    }
}

extension Outcome: CustomStringConvertible {
    /// The outcome with its error or reason, without the value, which may be long or secret.
    public var description: String {
        switch self {
        case .success: "succeeded"
        case .failure(let error): "failed: \(ErrorText.line(error))"
        case .cancelled(let reason): "cancelled: \(reason)"
        }
    }
}
