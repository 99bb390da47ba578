public import Foundation
public import SteplineSupport

/// A failure in a workflow, or a rejected call; a rejected call has changed nothing.
public struct WorkflowError: LocalizedError, ErrorWithCause, CustomNSError, Sendable {
    /// The kinds of failure; later versions may add further kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String
        let number: Int

        private init(_ description: String, _ number: Int) {
            self.description = description
            self.number = number
        }

        /// A condition was run before it was fulfilled.
        public static let conditionNotFulfilled = Code("conditionNotFulfilled", 1)
        /// The task was already added to this workflow.
        public static let alreadyAdded = Code("alreadyAdded", 2)
        /// The task belongs to another workflow.
        public static let belongsToAnotherWorkflow = Code("belongsToAnotherWorkflow", 3)
        /// A task was given as its own prerequisite.
        public static let selfPrerequisite = Code("selfPrerequisite", 4)
        /// A prerequisite isn't in this workflow.
        public static let foreignPrerequisite = Code("foreignPrerequisite", 5)
        /// A task other than a cleanup depends on a cleanup.
        public static let cleanupPrerequisite = Code("cleanupPrerequisite", 6)
        /// A task that may fail isn't a prerequisite.
        public static let notAPrerequisite = Code("notAPrerequisite", 7)
        /// Required prerequisite keys are missing.
        public static let missingPrerequisiteKeys = Code("missingPrerequisiteKeys", 8)
        /// The name is a duplicate, although names must be unique.
        public static let duplicateName = Code("duplicateName", 9)
        /// The workflow belongs to another subworkflow task.
        public static let subworkflowInUse = Code("subworkflowInUse", 10)
        /// The workflow would contain itself.
        public static let nestingCycle = Code("nestingCycle", 11)
        /// A weight exceeds a pool's capacity.
        public static let poolTooSmall = Code("poolTooSmall", 12)
        /// An option is out of its range.
        public static let invalidOption = Code("invalidOption", 13)
        /// The task isn't in a live workflow.
        public static let noWorkflow = Code("noWorkflow", 14)
        /// The check found errors; nothing was run.
        public static let checkFailed = Code("checkFailed", 15)
        /// No prerequisite has this key.
        public static let noPrerequisite = Code("noPrerequisite", 16)
        /// There is no result.
        public static let noResult = Code("noResult", 17)
        /// A result has another type than the expected one.
        public static let wrongType = Code("wrongType", 18)
        /// The call doesn't tell which attempt it ends.
        public static let ambiguousEnd = Code("ambiguousEnd", 19)
        /// The target of a method task was freed.
        public static let targetGone = Code("targetGone", 20)
        /// The pipeline of a pipeline task was started before.
        public static let pipelineNotFresh = Code("pipelineNotFresh", 21)
        /// An attempt or a task exceeded its time limit.
        public static let timedOut = Code("timedOut", 22)
        /// Tasks have failed.
        public static let tasksFailed = Code("tasksFailed", 23)
        /// The workflow exceeded its deadline.
        public static let deadlineExceeded = Code("deadlineExceeded", 25)
        /// Some tasks were not started.
        public static let incomplete = Code("incomplete", 26)
        /// An element of a map has failed.
        public static let elementFailed = Code("elementFailed", 27)
        /// The task was forgotten.
        public static let forgotten = Code("forgotten", 28)
        /// A worker runs single tasks of this workflow; no tasks can be added there.
        public static let ownedElsewhere = Code("ownedElsewhere", 29)
        /// A task was added to a durable run after its begin.
        public static let addedDuringRun = Code("addedDuringRun", 30)
        /// An element of a map was cancelled.
        public static let cancelled = Code("cancelled", 31)
    }

    /// The domain of these errors.
    public static let errorDomain = "SteplineWorkflow.WorkflowError"

    /// The kind of failure.
    public let code: Code
    /// The name of the task or workflow that the error concerns.
    public let subject: String
    /// The cause.
    public internal(set) var underlying: (any Error)?
    /// The issues that the check found, for ``Code/checkFailed``.
    public internal(set) var issues: [CheckIssue] = []
    /// The report of the run, for the errors of `run()`.
    public internal(set) var report: RunReport?

    /// The error without its cause, for a report that has the cause in a line of its own.
    package private(set) var summary: String?

    private let detail: String

    init(_ code: Code, _ subject: String, _ detail: String, underlying: (any Error)? = nil) {
        self.code = code
        self.subject = subject
        self.detail = detail
        self.underlying = underlying
    }

    /// The code as a number.
    public var errorCode: Int { code.number }

    /// The description, as `localizedDescription` reads it: Foundation asks an error with a number for this first.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }

    /// The error as a single line, with the names.
    public var errorDescription: String? { description }
}

extension WorkflowError: CustomStringConvertible {
    /// The error as a single line, with the names: `upload: timed out after 30 seconds`.
    public var description: String {
        // A failed check lists its issues, and a failed run its tasks' failures.
        let causes = issues.map { "\($0)" } + (report?.failures.map { "\($0)" } ?? [])
        let cause = underlying.map { [ErrorText.line($0)] } ?? []
        return ([subject + ": " + detail] + causes + cause).joined(separator: "; ")
    }
}

extension WorkflowError: RetryAdvising {
    /// Whether another attempt may succeed: true for a time-out, otherwise decided by the cause.
    public var isTransient: Bool { code == .timedOut || underlying.map(RetryPolicy.isTransient) ?? false }

    /// The delay that the cause requests.
    public var retryAfter: RetryAfter? { underlying.flatMap(retryAdvice)?.retryAfter }
}

extension WorkflowError {
    package init(pipelineNotFreshFor name: String) {
        self.init(.pipelineNotFresh, name, "its pipeline was started before; make a new one for each attempt")
    }

    package init(checkFailedFor name: String, _ issues: [CheckIssue]) {
        self.init(.checkFailed, name, "the check failed, nothing was run")
        self.issues = issues
    }

    /// The failure of a map of which some elements have failed.
    static func failed(_ first: String, at place: Int, _ failed: Int, of count: Int, _ cause: (any Error)?)
        -> WorkflowError
    {
        let others = failed > 1 ? ", the first of \(failed) failures in \(count) elements" : ""
        var error = WorkflowError(
            .elementFailed, first, "element \(place) has failed\(others)", underlying: cause)
        error.summary = "\(failed) of \(count == 1 ? "1 element" : "\(count) elements") failed"
        return error
    }

    /// The error as that of another task than the map: its cause belongs to its text.
    var ofAnotherTask: WorkflowError {
        var error = self
        error.summary = nil
        return error
    }

    static func timedOut(_ name: String, after time: Duration) -> WorkflowError {
        WorkflowError(.timedOut, name, "timed out after \(time)")
    }
}
