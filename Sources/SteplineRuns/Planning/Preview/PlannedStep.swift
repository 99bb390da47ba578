/// A step of a plan, with its action and the reason.
public struct PlannedStep: Sendable, Hashable, CustomStringConvertible {
    /// The action of a run for a step.
    public enum Action: String, Sendable, Hashable, Codable, CaseIterable {
        /// The step keeps its stored state.
        case kept
        /// The step's body runs.
        case runs
        /// The step takes the result of another run; see `TaskOptions.cacheLifetime`.
        case restored
        /// The step isn't run, although it has no valid result.
        case skipped
        /// The store has the step, and the workflow doesn't.
        case gone
    }

    /// The reason for an action, known by its name; later versions may add more.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// The reason's name.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The step has finished, and nothing that it depends on has changed.
        package static let finished = Reason("finished")
        /// The step failed before, and `retryingFailures` is off.
        package static let failed = Reason("failed")
        /// The step was cancelled before, and `retryingFailures` is off.
        package static let cancelled = Reason("cancelled")
        /// The step's process died three times during the step, which now fails.
        package static let interruptedTooOften = Reason("interruptedTooOften")
        /// The step hasn't run yet.
        package static let new = Reason("new")
        /// The step's version differs from the stored one.
        package static let definitionChanged = Reason("definitionChanged")
        /// The step has other prerequisites than the stored one.
        package static let prerequisitesChanged = Reason("prerequisitesChanged")
        /// The step's result has another type.
        package static let resultTypeChanged = Reason("resultTypeChanged")
        /// A prerequisite runs, or a task around the step.
        package static let prerequisiteRuns = Reason("prerequisiteRuns")
        /// A step inside the step runs.
        package static let stepInsideRuns = Reason("stepInsideRuns")
        /// The step failed before, and `retryingFailures` is on.
        package static let failedBefore = Reason("failedBefore")
        /// The step was cancelled before, and `retryingFailures` is on.
        package static let cancelledBefore = Reason("cancelledBefore")
        /// The step began before, and didn't end.
        package static let interrupted = Reason("interrupted")
        /// The step failed before, and its next attempt is due.
        package static let retryDue = Reason("retryDue")
        /// The step is a condition that a signal fulfils.
        package static let waitsForSignal = Reason("waitsForSignal")
        /// A file that the step made is missing or changed.
        package static let fileGone = Reason("fileGone")
        /// The step's stored result is missing or unreadable.
        package static let resultUnreadable = Reason("resultUnreadable")
        /// A step to run needs the result, which isn't stored.
        package static let resultNotStored = Reason("resultNotStored")
        /// Another run has made the result from the same inputs.
        package static let cached = Reason("cached")
        /// A prerequisite has failed or can't run, or the task around the step doesn't run.
        package static let prerequisiteFailed = Reason("prerequisiteFailed")
        /// The step is a cleanup, and none of the tasks that it guards begins.
        package static let notNeeded = Reason("notNeeded")
        /// The step's files are newer than everything that they are made of.
        package static let upToDate = Reason("upToDate")
        /// The step was skipped, and nothing that it depends on has changed.
        package static let skipped = Reason("skipped")
        /// The run has no store that could keep the step.
        package static let unkept = Reason("unkept")
        /// The workflow has no step of that name.
        package static let notInWorkflow = Reason("notInWorkflow")
    }

    /// The step's name.
    public let name: String
    /// The action of a run for the step.
    public let action: Action
    /// The reason for the action.
    public let reason: Reason
    /// The other steps that are the reason, such as the prerequisites that run.
    public let because: [String]
    /// The run whose result the step takes; nil unless the action is `restored`.
    public let source: RunID?
    /// Whether the step may take the result of another run instead, which depends on results that the plan doesn't
    /// know.
    public let mayBeRestored: Bool
    /// The part of the definition that changed, or the reason of the skip, as far as known.
    private let change: String?

    package init(
        _ name: String, _ action: Action, _ reason: Reason, because: [String] = [], source: RunID? = nil,
        change: String? = nil, mayBeRestored: Bool = false
    ) {
        self.name = name
        self.action = action
        self.reason = reason
        self.because = because
        self.source = source
        self.change = change
        self.mayBeRestored = mayBeRestored
    }

    /// Returns the kept step as one that was skipped for a reason.
    package func skipped(_ reason: String) -> PlannedStep {
        PlannedStep(name, action, .skipped, change: reason)
    }

    /// The step, the action and the reason in one line: `page runs: list runs`.
    public var description: String {
        let verb =
            switch action {
            case .runs: "runs"
            case .kept, .restored, .skipped, .gone: "is \(action.rawValue)"
            }
        return "\(name) \(verb): \(explanation)"
    }

    /// The reason as a clause.
    public var explanation: String { mayBeRestored ? "\(clause), unless another run has its result" : clause }

    private var clause: String {
        switch reason {
        case .finished: "it has finished"
        case .failed: "it failed before, and stays failed"
        case .cancelled: "it was cancelled before, and stays cancelled"
        case .interruptedTooOften: "it was interrupted \(Interruptions.most) times, and fails"
        case .new: "it hasn't run yet"
        case .definitionChanged: change ?? "its definition changed"
        case .prerequisitesChanged: "its prerequisites changed"
        case .resultTypeChanged: "the type of its result changed"
        case .prerequisiteRuns: "\(causes) \(because.count == 1 ? "runs" : "run")"
        case .stepInsideRuns: "\(causes) inside it \(because.count == 1 ? "runs" : "run")"
        case .failedBefore: "it failed before"
        case .cancelledBefore: "it was cancelled before"
        case .interrupted: "it began, and didn't end"
        case .retryDue: "it failed before, and its next attempt is due"
        case .waitsForSignal: "it waits for a signal"
        case .fileGone: "a file that it made is missing or changed"
        case .resultUnreadable: "its stored result can't be read"
        case .resultNotStored:
            "\(causes) \(because.count == 1 ? "needs" : "need") its result, which isn't stored"
        case .cached: "\(source.map { "\($0)" } ?? "another run") has its result"
        case .prerequisiteFailed: "\(causes) \(because.count == 1 ? "has" : "have") no result, and won't"
        case .notNeeded: "none of the tasks that it guards begins"
        case .skipped: "it was skipped" + (change.map { ": \($0)" } ?? "")
        case .upToDate: "its files are up to date"
        case .unkept: "nothing is kept without a store"
        case .notInWorkflow: "the workflow has no step of that name"
        // Reasons are an open set: a later version may add one.
        default: reason.description
        }
    }

    /// The first names of ``because``, and the number of the others.
    private var causes: String {
        // A step after a wide fan-out may have thousands of causes.
        let names = because.prefix(3).joined(separator: ", ")
        return because.count > 3 ? "\(names) and \(because.count - 3) more" : names
    }
}
