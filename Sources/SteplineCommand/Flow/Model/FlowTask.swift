/// A task: its prerequisites, policies and steps.
///
/// A class, since checks and plans pass on the tasks of large files many times.
final class FlowTask: Sendable {
    let name: String
    let offset: Int
    let description: String?
    /// A digest of the task without the settings that only decide when and how often it runs.
    let meaning: UInt64
    let runs: FlowRuns
    /// The condition without which the task is skipped.
    let when: FlowExpression?
    let after: [FlowReference]
    /// The prerequisites that may fail.
    let allowFailure: [FlowReference]
    /// The list that the task is mapped over.
    let map: FlowMap?
    /// The files that the task reads in addition to those loaded by its steps.
    let reads: [FlowTemplate]
    /// The files that the task creates; the task is skipped if all are newer than all it reads.
    let writes: [FlowTemplate]
    let policies: FlowPolicies
    let steps: [FlowStep]
    /// The file that the task runs instead of steps.
    let flow: FlowInclusion?

    init(
        name: String, offset: Int, description: String? = nil, meaning: UInt64 = 0,
        runs: FlowRuns = .onSuccess,
        when: FlowExpression? = nil, after: [FlowReference] = [], allowFailure: [FlowReference] = [],
        map: FlowMap? = nil, reads: [FlowTemplate] = [], writes: [FlowTemplate] = [],
        policies: FlowPolicies = FlowPolicies(), steps: [FlowStep] = [], flow: FlowInclusion? = nil
    ) {
        self.name = name
        self.offset = offset
        self.description = description
        self.meaning = meaning
        self.runs = runs
        self.when = when
        self.after = after
        self.allowFailure = allowFailure
        self.map = map
        self.reads = reads
        self.writes = writes
        self.policies = policies
        self.steps = steps
        self.flow = flow
    }

    /// The steps that add elements to the task's map.
    var growingSteps: [FlowStep] {
        steps.filter { if case .grow = $0.verb { true } else { false } }
    }

    /// Whether elements of the task's map find further elements.
    var grows: Bool { map != nil && !growingSteps.isEmpty }
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
    /// The maximum number of elements of a growing map; nil for ``standardMost``.
    var most: Int?
    /// The maximum number of steps from an element of the list to an element of a growing map; nil for no limit.
    var depth: Int?

    static let standardMost = 1_000

    /// All names in its formulas.
    var references: [FlowExpression.Reference] {
        list.references + [key, except].compactMap(\.self).flatMap(\.references)
    }

    /// The keys of combined lists; nil for a single list.
    var combined: [String]? {
        if case .object(let members) = list { members.map(\.key) } else { nil }
    }
}
