import SteplineSupport
import SteplineWorkflow

/// A task: what it waits for, how it is run, and its chain of steps.
struct FlowTask: Sendable {
    let name: String
    let offset: Int
    var description: String?
    var runs = FlowRuns.onSuccess
    /// What must be true for it to be run; it is skipped otherwise.
    var when: FlowExpression?
    var after: [FlowReference] = []
    /// Those of `after` that may fail.
    var allowFailure: [FlowReference] = []
    var map: FlowMap?
    /// The files that it reads beside those that its steps load.
    var reads: [FlowTemplate] = []
    /// The files that it makes: where they are newer than all it reads, it need not be run.
    var writes: [FlowTemplate] = []
    var policies = FlowPolicies()
    var steps: [FlowStep] = []
    /// The file that it runs in place of steps.
    var flow: FlowInclusion?
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

/// How a task is run; what is nil is left to the defaults.
struct FlowPolicies: Sendable {
    var retry: RetryPolicy?
    var timeout: Duration?
    var deadline: Duration?
    var priority: Priority?
    var pools: [(pool: FlowReference, weight: Int)] = []

    /// The same, with what isn't said taken from the defaults.
    func filled(from defaults: FlowPolicies) -> FlowPolicies {
        FlowPolicies(
            retry: retry ?? defaults.retry, timeout: timeout ?? defaults.timeout,
            deadline: deadline ?? defaults.deadline, priority: priority ?? defaults.priority,
            pools: pools.isEmpty ? defaults.pools : pools)
    }
}
