import SteplineJSON
import SteplinePipeline
import SteplinePrograms
import SteplineRuns
import SteplineSupport

/// What a run of a workflow file goes by.
struct FlowSetting: Sendable {
    let source: FlowSource
    var folder: FlowFolder
    var parameters: [String: JSON] = [:]
    var secrets = FlowSecrets()
    var namespaces: [String: String] = [:]
    var isOffline = false
    /// The offsets of formulas whose values no path may begin with: see ``ForeignValues``.
    var foreignFormulas: Set<Int> = []
    var connections = Connections()
    /// What programs are looked for in, as the environment has it.
    var searchPath = "/usr/local/bin:/usr/bin:/bin"
    /// The environment that programs inherit; nil for that of the process.
    var environment: [String: String]?
    /// Keeps the programs that run.
    var programs: LivePrograms = .shared
    var clock: any StepClock = .system
    /// What `now()` gives; nil for the time that it is.
    var now: JSON?
    /// Keeps what is loaded, and what programs write.
    var recorder: FlowRecorder?
    /// Answers in place of the network and of programs.
    var answers: RecordedAnswers?
    /// Whether an attempt that failed is followed by a wait.
    var waitsBeforeRetries = true
    /// Told when a load begins to wait in its host's line, and when that is over.
    var lineWatch: (@Sendable (Bool) -> Void)?
    /// Collects the budgets of a task's steps, which know what formulas have made.
    var budgets: Locked<[ExpressionBudget]>?
    /// Told of each file that is written, where that is kept.
    var saved: (@Sendable (ProducedFile) -> Void)?
}

extension FlowSetting {
    /// Takes over what holds for all files of a run: how it is recorded or answered, and what the time is.
    mutating func goOn(_ other: FlowSetting, ownsConnections: Bool) {
        if ownsConnections {
            connections.transport = other.connections.transport
            // An answer out of a cache is none of the network's.
            if other.recorder != nil { connections.cache = nil }
        } else {
            connections = other.connections
        }
        clock = other.clock
        now = other.now
        recorder = other.recorder
        answers = other.answers
        waitsBeforeRetries = other.waitsBeforeRetries
    }
}

/// What formulas of one step see.
struct FlowScope {
    let setting: FlowSetting
    let bag: Content
    /// What the step gets.
    let input: FlowValue?
    /// Throws once the step was cancelled, for work that takes long.
    let checkCancellation: @Sendable () throws -> Void
    /// The budget that all formulas of the step share.
    let budget: ExpressionBudget

    /// Has a budget of its own, unless it is one of several that share one.
    init(
        setting: FlowSetting, bag: Content, input: FlowValue?, budget: ExpressionBudget? = nil,
        checkCancellation: @escaping @Sendable () throws -> Void = { try Task.checkCancellation() }
    ) {
        self.setting = setting
        self.bag = bag
        self.input = input
        self.checkCancellation = checkCancellation
        let own = budget ?? ExpressionBudget(input: input, checkCancellation: checkCancellation)
        self.budget = own
        if budget == nil { setting.budgets?.withLock { $0.append(own) } }
    }

    /// Computes formulas; with `element` as `it`, if there is one.
    func evaluator(element: JSON? = nil) -> ExpressionEvaluator {
        ExpressionEvaluator(now: setting.now, budget: budget) { name in
            switch name {
            case .parameter(let name): setting.parameters[name] ?? .null
            case .secret(let name): setting.secrets.value(of: name)
            case .task(let name): try bag[.result(of: name)]?.forFormulas() ?? .null
            case .it: try element ?? input?.forFormulas() ?? .null
            case .item: bag[.item] ?? .null
            case .index: bag[.index].map { JSON($0) } ?? .null
            case .run: bag[.run] ?? .null
            }
        }
    }

    /// Returns the path that a template gives.
    func path(_ place: FlowTemplate) throws -> String {
        try place.filled(by: evaluator()) { value, before, formula in
            try FlowAddress.fillPath(value, behind: before, isForeign: isForeign(formula))
        }
    }

    /// Whether a server or a program may have given the formula's value.
    func isForeign(_ formula: FlowExpression) -> Bool {
        setting.foreignFormulas.contains(formula.root.offset)
    }

    /// Turns errors of formulas into ones that stand for a step's.
    func locating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ExpressionError {
            throw FlowFault(offset: error.offset, description: error.told)
        }
    }
}
