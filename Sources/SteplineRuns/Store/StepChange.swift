public import Foundation

/// A change of a step, to be kept.
///
/// It says which attempt it comes from, by number and by the token of its owner, and is taken if
/// - its attempt is later than the step's latest one: that has a new latest attempt by this, and what it had before, if
///   it had begun, goes into the run's history; or
/// - it is that attempt by number and token, and that isn't over: the step is `running` or `waiting`; or
/// - it is `.cleared`, and the step's latest attempt is this one or an earlier one: what that did goes into the history
///   as well, if it had begun, and the step has neither times nor a result until a later attempt begins.
/// Everything else comes from somebody whose attempt counts no longer, and is refused.
public struct StepChange: Sendable {
    /// What has become of the attempt.
    public enum Kind: Sendable {
        /// It has begun.
        case began
        /// It has finished, and this is its result: a small one, or one of any size.
        case finished(Data?)
        /// It has failed for good.
        case failed(StepFailure)
        /// It has failed, and the next one begins after that wait, which ends at `due`.
        case waiting(StepFailure, due: Date, wait: Double)
        /// It was cancelled, or the step was before it began.
        case cancelled(StepFailure)
        /// All attempts so far count no longer: the step is pending.
        case cleared
    }

    /// The step's name.
    public var step: String
    /// The number of the attempt that it comes from, from 1.
    public var attempt: Int
    /// The token of that attempt's owner.
    public var token: UInt64
    /// What has become of the attempt.
    public var kind: Kind
    /// When it happened.
    public var date: Date
    /// When the attempt began, if that had not been told before; without it, one that has ended began when it ended.
    public var began: Date?
    /// The version of the step's task, from this attempt on.
    public var version: Int
    /// What the step follows from this attempt on; see ``StepRecord/links``.
    public var links: UInt64
    /// How many attempts have failed, from this one on.
    public var failures: Int
    /// How many attempts have ended with their process, from this one on.
    public var interruptions: Int
    /// What other runs find its result by, if it has finished and they may take that over; nil if they mayn't.
    public var cacheKey: String?
    /// The worker that has run the attempt; nil if the owner of the run has.
    public var worker: String?

    /// A change of a step.
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
