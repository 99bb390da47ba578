public import Foundation

/// The stored state of a step.
public enum StepState: String, Sendable, Hashable, Codable, CaseIterable {
    /// The step has no valid attempt and must be run.
    case pending
    /// An attempt began, and no end was written.
    ///
    /// After the death of the owner this is an interrupted attempt.
    case running
    /// An attempt failed, and the next attempt is due at ``StepRecord/due``.
    case waiting
    /// The latest attempt finished.
    case finished
    /// The latest attempt failed permanently.
    case failed
    /// The step was cancelled.
    case cancelled
}

/// The stored record of a step.
public struct StepRecord: Sendable, Hashable, Codable {
    /// The step's name, a path if the step is inside a subworkflow.
    public var name: String
    /// The version of the step's task.
    public var version: Int
    /// A digest of the names of the step's prerequisites.
    ///
    /// A changed digest means that the program links the step differently, so its result is stale.
    public var links: UInt64
    /// The step's state.
    public var state: StepState
    /// The number of the latest attempt; 0 before the first.
    public var attempt: Int
    /// The token of the latest attempt's owner.
    public var token: UInt64
    /// The number of failed attempts since the step was last restarted by hand.
    public var failures: Int
    /// The number of attempts that ended with their process.
    public var interruptions: Int
    /// The begin of the latest attempt; nil if it hasn't begun.
    public var began: Date?
    /// The end of the latest attempt; nil if it hasn't ended.
    public var ended: Date?
    /// The date of the next attempt while the state is `waiting`.
    public var due: Date?
    /// The length of that back-off, in seconds.
    public var wait: Double
    /// The failure of the latest attempt, or the reason of its cancellation.
    public var failure: StepFailure?
    /// The size of the result in bytes; nil if the step has no stored result.
    public var resultSize: Int?
    /// The worker that ran the latest attempt; nil if the run's owner did.
    public var worker: String?

    /// Creates the record of a step that isn't stored yet.
    public init(name: String) {
        self.name = name
        version = 1
        links = 0
        state = .pending
        attempt = 0
        token = 0
        failures = 0
        interruptions = 0
        wait = 0
    }
}

/// A failure in its stored form: texts with secrets removed.
public struct StepFailure: Sendable, Hashable, Codable {
    /// The type of the error, and its code if it has one.
    public var code: String
    /// The subject of the error, such as a step, a file or a URL.
    public var subject: String
    /// The message, in one line.
    public var message: String
    /// The underlying error.
    public var underlying: String?

    /// Creates a failure from its texts.
    public init(code: String, subject: String = "", message: String, underlying: String? = nil) {
        self.code = code
        self.subject = subject
        self.message = message
        self.underlying = underlying
    }
}
