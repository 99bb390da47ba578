import SteplineSupport

public import protocol Foundation.LocalizedError

/// The stored failure of a step, without secrets: its process may be gone.
public struct KeptFailure: LocalizedError, Sendable, CustomStringConvertible {
    /// The stored texts.
    public let failure: StepFailure

    init(_ failure: StepFailure?) {
        self.failure =
            failure ?? StepFailure(code: "unknown", message: "has failed, and nothing is known of it")
    }

    /// The message of the failure.
    public var description: String { failure.message }

    /// The message of the failure.
    public var errorDescription: String? { failure.message }
}

extension StepFailure {
    /// Creates the failure of a step that was interrupted too often.
    package init(interrupted count: Int, _ step: String) {
        self.init(
            code: "interruptedTooOften", subject: step,
            message:
                "\(step): its process has ended \(count) times while it ran, and it isn't tried again by itself"
        )
    }

    /// Creates the stored form of an error.
    init(_ error: (any Error)?, subject: String) {
        // A failure that a worker has reported keeps its texts.
        if let kept = error as? KeptFailure {
            self = kept.failure
            return
        }
        let cause = (error as? any ErrorWithCause)?.underlying
        self.init(
            code: error.map { "\(type(of: $0))" } ?? "none", subject: subject,
            message: error.map { ErrorText.line($0) } ?? "no error given",
            underlying: cause.map { ErrorText.line($0) })
    }
}
