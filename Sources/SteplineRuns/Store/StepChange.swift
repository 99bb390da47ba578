public import Foundation

/// A change of a step's state, to be written to a store.
///
/// A change carries its attempt: the number and the token of the attempt's owner. A store accepts the change if
/// - the attempt is later than the step's latest attempt. The step then has a new latest attempt. The previous attempt
///   moves
///   to the run's history if it had begun; or
/// - number and token equal those of the latest attempt, and the step is `running` or `waiting`; or
/// - the kind is `.cleared` and the step's latest attempt isn't later. The latest attempt moves to the history if it
///   had begun.
///   The step has no dates and no result until a later attempt begins.
///
/// A store refuses every other change: its sender has lost the step to a later attempt or another owner.
public struct StepChange: Sendable {
    /// The new state of an attempt; those with a failure are rare, and boxed to keep a change small.
    public enum Kind: Sendable {
        /// The attempt began.
        case began
        /// The attempt finished with an encoded result; nil if the step has no result to store.
        case finished(Data?)
        /// The attempt failed permanently.
        indirect case failed(StepFailure)
        /// The attempt failed, and the next attempt begins at `due` after `wait` seconds of back-off.
        indirect case waiting(StepFailure, due: Date, wait: Double)
        /// The attempt was cancelled, or the step was cancelled before it began.
        indirect case cancelled(StepFailure)
        /// All attempts so far are void: the step is pending.
        case cleared
    }

    /// The name of the step.
    public var step: String
    /// The attempt's number, from 1.
    public var attempt: Int
    /// The token of the attempt's owner.
    public var token: UInt64
    /// The new state of the attempt.
    public var kind: Kind
    /// The date of the change.
    public var date: Date
    /// The begin of the attempt if no `.began` change was written; nil means that an ended attempt began when it ended.
    public var began: Date?
    /// The version of the step's task, from this attempt on.
    public var version: Int
    /// A digest of the step's prerequisites from this attempt on; see ``StepRecord/links``.
    public var links: UInt64
    /// The number of failed attempts, this one included if it failed.
    public var failures: Int
    /// The number of attempts that ended with their process.
    public var interruptions: Int
    /// The cache key of a finished step's result; nil if other runs may not reuse it.
    public var cacheKey: String?
    /// The worker that ran the attempt; nil if the run's owner did.
    public var worker: String?

    /// Creates a change of a step.
    public init(
        _ kind: Kind, of step: String, attempt: Int, token: UInt64, at date: Date, began: Date? = nil,
        version: Int = 1, links: UInt64 = 0, failures: Int = 0, interruptions: Int = 0
    ) {
        self.kind = kind
        self.step = step
        self.attempt = attempt
        self.token = token
        self.date = date
        self.began = began
        self.version = version
        self.links = links
        self.failures = failures
        self.interruptions = interruptions
    }
}
