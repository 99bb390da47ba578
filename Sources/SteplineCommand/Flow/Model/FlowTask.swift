/// A task: its prerequisites, policies and steps.
struct FlowTask: Sendable {
    let name: String
    let offset: Int
    var description: String?
    /// A digest of the task without the settings that only decide when and how often it runs.
    var meaning: UInt64 = 0
    var runs = FlowRuns.onSuccess
    /// The condition without which the task is skipped.
    var when: FlowExpression?
    var after: [FlowReference] = []
    /// The prerequisites that may fail.
    var allowFailure: [FlowReference] = []
    private var mapped: Aside<FlowMap>?
    /// The files that the task reads in addition to those loaded by its steps.
    var reads: [FlowTemplate] = []
    /// The files that the task creates; the task is skipped if all are newer than all it reads.
    var writes: [FlowTemplate] = []
    private var said: Aside<FlowPolicies>?
    var steps: [FlowStep] = []
    private var inclusion: Aside<FlowInclusion>?

    init(name: String, offset: Int) {
        self.name = name
        self.offset = offset
    }

    /// The policies of the task.
    var policies: FlowPolicies {
        get { said?.value ?? FlowPolicies() }
        set { said = newValue.isEmpty ? nil : Aside(newValue) }
    }

    /// The list that the task is mapped over.
    var map: FlowMap? {
        get { mapped?.value }
        set { mapped = newValue.map { Aside($0) } }
    }

    /// The file that the task runs instead of steps.
    var flow: FlowInclusion? {
        get { inclusion?.value }
        set { inclusion = newValue.map { Aside($0) } }
    }
}

/// The condition under which a task runs.
enum FlowRuns: String, CaseIterable, Sendable {
    /// All prerequisites succeeded.
    case onSuccess
    /// All prerequisites and the tasks before them have ended or will never run.
    case always
    /// Like `always`, but only if a task before it has failed or was cancelled.
    case onFailure
    /// Like `always`, but only if no task before it has failed.
    case afterSuccess

    /// Whether the task runs last and can't be a prerequisite.
    var isLast: Bool { self != .onSuccess }
}

/// The list that a task is mapped over.
struct FlowMap: Sendable {
    let list: FlowLiteral
    let offset: Int
    var limit: Int?
    /// The formula for the name of an element.
    var key: FlowExpression?
    /// The condition that excludes elements.
    var except: FlowExpression?
    /// Whether failed elements are reported and left out of the result.
    var skipsFailures = false

    /// All names in its formulas.
    var references: [FlowExpression.Reference] {
        list.references + [key, except].compactMap(\.self).flatMap(\.references)
    }

    /// The keys of combined lists; nil for a single list.
    var combined: [String]? {
        if case .object(let members) = list { members.map(\.key) } else { nil }
    }
}
