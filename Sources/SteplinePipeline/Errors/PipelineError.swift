public import Foundation
public import SteplineSupport

/// What went wrong in a pipeline or a step, and where.
///
/// Every failure that a pipeline delivers is one of these; the error that a step threw is ``underlying``,
/// untouched. Misuse throws one too, and has then changed nothing.
public struct PipelineError: LocalizedError, ErrorWithCause, Sendable {
    /// What kind of failure it is.
    public let code: Code

    /// The pipeline's name; empty for a step alone.
    public internal(set) var pipeline = ""

    /// The step that failed or was refused, if it was one.
    public internal(set) var step: StepPosition?

    /// The entries that the step reads.
    public internal(set) var inputs: [AnyContentKey] = []

    /// The entries that the step writes.
    public internal(set) var outputs: [AnyContentKey] = []

    /// How many attempts were made at the step.
    public internal(set) var attempt = 0

    /// What the check found, for ``Code/checkFailed``.
    public internal(set) var issues: [PipelineIssue] = []

    /// The cause: what the step threw.
    public internal(set) var underlying: (any Error)?

    let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension PipelineError {
    /// The kinds of failure; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// A step's body threw.
        public static let stepFailed = Code(description: "stepFailed")
        /// An entry that the step reads isn't there.
        public static let missingInput = Code(description: "missingInput")
        /// An entry has another type than the one wanted.
        public static let typeMismatch = Code(description: "typeMismatch")
        /// A subclass has not overridden what it must.
        public static let notImplemented = Code(description: "notImplemented")
        /// A step can't be copied.
        public static let notCopyable = Code(description: "notCopyable")
        /// The check found errors, so nothing was run.
        public static let checkFailed = Code(description: "checkFailed")
        /// An attempt or the whole pipeline took longer than it may.
        public static let timedOut = Code(description: "timedOut")
        /// The step belongs to a pipeline already.
        public static let stepInUse = Code(description: "stepInUse")
        /// The step has run, or runs; a step runs once.
        public static let stepAlreadyRun = Code(description: "stepAlreadyRun")
        /// The step that was named belongs to another pipeline, or to none.
        public static let unknownStep = Code(description: "unknownStep")
        /// The pipeline has already passed that place.
        public static let positionPassed = Code(description: "positionPassed")
        /// The pipeline has been started; a pipeline runs once.
        public static let alreadyStarted = Code(description: "alreadyStarted")
        /// The pipeline has ended.
        public static let ended = Code(description: "ended")
    }
}

extension PipelineError: RetryAdvising {
    /// A time-out is worth another attempt; any other failure if its cause is.
    public var isTransient: Bool {
        code == .timedOut || underlying.map(RetryPolicy.isTransient) ?? false
    }

    /// What the cause asks for.
    public var retryAfter: RetryAfter? {
        underlying.flatMap(retryAdvice)?.retryAfter
    }
}
