import SteplineSupport

public import protocol Foundation.LocalizedError

/// The failure of a step in an earlier process, as the store has kept it: its texts, without secrets.
public struct KeptFailure: LocalizedError, Sendable, CustomStringConvertible {
    /// What was kept of it.
    public let failure: StepFailure

    init(_ failure: StepFailure?) {
        self.failure =
            failure ?? StepFailure(code: "unknown", message: "has failed, and nothing is known of it")
    }

    /// What it said then.
    public var description: String { failure.message }

    /// What it said then.
    public var errorDescription: String? { failure.message }
}

extension StepFailure {
    /// That of a step whose process has ended too often while it ran.
    package init(interrupted count: Int, _ step: String) {
        self.init(
            code: "interruptedTooOften", subject: step,
            message:
                "\(step): its process has ended \(count) times while it ran, and it isn't tried again by itself"
        )
    }

    /// What is kept of an error.
    init(_ error: (any Error)?, subject: String) {
        // What a worker has told of is kept as it was there.
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
