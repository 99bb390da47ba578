/// A task: what it waits for, how it is run, and its chain of steps.
struct FlowTask: Sendable {
    let name: String
    let offset: Int
    var description: String?
    /// A digest of what it says, without what only decides when it runs and how often.
    var meaning: UInt64 = 0
    var runs = FlowRuns.onSuccess
    /// What must be true for it to be run; it is skipped otherwise.
    var when: FlowExpression?
    var after: [FlowReference] = []
    /// Those of `after` that may fail.
    var allowFailure: [FlowReference] = []
    private var mapped: Aside<FlowMap>?
    /// The files that it reads beside those that its steps load.
    var reads: [FlowTemplate] = []
    /// The files that it makes: where they are newer than all it reads, it need not be run.
    var writes: [FlowTemplate] = []
    private var said: Aside<FlowPolicies>?
    var steps: [FlowStep] = []
    private var inclusion: Aside<FlowInclusion>?

    init(name: String, offset: Int) {
        self.name = name
        self.offset = offset
    }

    /// How it is run.
    var policies: FlowPolicies {
        get { said?.value ?? FlowPolicies() }
        set { said = newValue.isEmpty ? nil : Aside(newValue) }
    }

    /// The list that it runs for.
    var map: FlowMap? {
        get { mapped?.value }
        set { mapped = newValue.map { Aside($0) } }
    }

    /// The file that it runs in place of steps.
    var flow: FlowInclusion? {
        get { inclusion?.value }
        set { inclusion = newValue.map { Aside($0) } }
    }
}

/// When a task is run.
enum FlowRuns: String, CaseIterable, Sendable {
    /// Once those that it comes after have succeeded.
    case onSuccess
    /// Once those that it comes after, and all before them, have ended or will never run.
    case always
    /// The same, if something has failed or was cancelled.
    case onFailure
    /// The same, if nothing has.
    case afterSuccess

    /// Whether it comes last: no task can wait for it.
    var isLast: Bool { self != .onSuccess }
}

/// The list whose elements a task runs for.
struct FlowMap: Sendable {
    let list: FlowLiteral
    let offset: Int
    var limit: Int?
    /// What an element is called in all that is told of it.
    var key: FlowExpression?
    /// Elements for which this is true are left out.
    var except: FlowExpression?
    /// Elements that fail are left out of the result, and told.
    var skipsFailures = false

    /// Every name in its formulas.
    var references: [FlowExpression.Reference] {
        list.references + [key, except].compactMap(\.self).flatMap(\.references)
    }

    /// The keys under which lists are combined; nil where it is one list.
    var combined: [String]? {
        if case .object(let members) = list { members.map(\.key) } else { nil }
    }
}
