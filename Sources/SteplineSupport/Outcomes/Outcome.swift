/// How something ended: with what it made, with an error, or cancelled.
///
/// All layers say it in this form. ``get()`` turns it into what `run()` does: it returns, or throws.
public enum Outcome<Success: Sendable>: Sendable {
    /// It made this.
    case success(Success)
    /// It failed for good; the error is that of the layer, with the cause in it.
    case failure(any Error)
    /// Somebody or something called it off before it had ended.
    case cancelled(CancellationReason)

    /// What it made; nil if it failed or was cancelled.
    public var value: Success? { if case .success(let value) = self { value } else { nil } }

    /// What it failed with; nil if it succeeded or was cancelled.
    public var error: (any Error)? { if case .failure(let error) = self { error } else { nil } }

    /// Why it was cancelled; nil if it succeeded or failed.
    public var cancellation: CancellationReason? {
        if case .cancelled(let reason) = self { reason } else { nil }
    }

    /// Whether it succeeded.
    public var isSuccess: Bool { value != nil }

    /// What it made; throws its error, or `CancellationError` if it was cancelled.
    public func get() throws -> Success {
        switch self {
        case .success(let value): value
        case .failure(let error): throw error
        case .cancelled: throw CancellationError()
        }
    }

    /// The same outcome with something else made of what it made.
    public func map<Other: Sendable>(_ transform: (Success) throws -> Other) rethrows -> Outcome<Other> {
        switch self {
        case .success(let value): .success(try transform(value))
        case .failure(let error): .failure(error)
        case .cancelled(let reason): .cancelled(reason)
        }
    }
}

extension Outcome: CustomStringConvertible {
    /// The outcome in a word, and what it came from; never what was made, which may be long or secret.
    public var description: String {
        switch self {
        case .success: "succeeded"
        case .failure(let error): "failed: \(ErrorText.line(error))"
        case .cancelled(let reason): "cancelled: \(reason)"
        }
    }
}
