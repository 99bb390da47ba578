public import Foundation

/// Where a step of a run stands, as far as it is kept.
public enum StepState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing counts of what it did; it is to be run.
    case pending
    /// An attempt has begun, and hasn't ended as far as anybody knows.
    case running
    /// An attempt has failed, and the next one is due at ``StepRecord/due``.
    case waiting
    /// Its latest attempt has finished.
    case finished
    /// It has failed for good.
    case failed
    /// It was cancelled.
    case cancelled
}

/// A step of a run, as a store knows it.
public struct StepRecord: Sendable, Hashable, Codable {
    /// Its name, a path for what is inside a subworkflow.
    public var name: String
    /// The version of its task.
    public var version: Int
    /// What it follows: a digest of its prerequisites' names.
    public var links: UInt64
    /// Where it stands.
    public var state: StepState
    /// The number of its latest attempt.
    public var attempt: Int
    /// The token of that attempt's owner.
    public var token: UInt64
    /// How many attempts have failed since it was last asked for by hand.
    public var failures: Int
    /// How many attempts have ended with their process.
    public var interruptions: Int
    /// When its latest attempt began; nil if it hasn't.
    public var began: Date?
    /// When its latest attempt ended; nil if it hasn't.
    public var ended: Date?
    /// When the next attempt is due, while it waits for one.
    public var due: Date?
    /// How many seconds it waits for that in all.
    public var wait: Double
    /// What it failed with, or why it was cancelled.
    public var failure: StepFailure?
    /// How many bytes its result has; nil if it has none.
    public var resultSize: Int?
    /// The worker that has run the latest attempt; nil if the owner of the run has.
    public var worker: String?

    /// A step of which nothing is known.
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

/// A failure as it is kept: its texts, without secrets.
public struct StepFailure: Sendable, Hashable, Codable {
    /// The kind of error: its type, and its code where it has one.
    public var code: String
    /// What it was about.
    public var subject: String
    /// What it said, in one line.
    public var message: String
    /// What was behind it.
    public var underlying: String?

    /// A failure in words.
    public init(code: String, subject: String = "", message: String, underlying: String? = nil) {
        self.code = code
        self.subject = subject
        self.message = message
        self.underlying = underlying
    }
}
