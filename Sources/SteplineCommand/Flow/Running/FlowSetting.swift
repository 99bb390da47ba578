import SteplineJSON
import SteplinePipeline
import SteplinePrograms
import SteplineRuns
import SteplineSupport

/// The settings of a workflow file's run.
struct FlowSetting: Sendable {
    let source: FlowSource
    var folder: FlowFolder
    var parameters: [String: JSON] = [:]
    var secrets = FlowSecrets()
    var namespaces: [String: String] = [:]
    var isOffline = false
    /// The offsets of formulas with foreign values; see ``ForeignValues``.
    var foreignFormulas: Set<Int> = []
    var connections = Connections()
    /// The search path for programs.
    var searchPath = "/usr/local/bin:/usr/bin:/bin"
    /// The environment for programs; nil for that of the process.
    var environment: [String: String]?
    /// Tracks the running programs.
    var programs: LivePrograms = .shared
    var clock: any StepClock = .system
    /// The value of `now()`; nil for the current time.
    var now: JSON?
    /// Records responses and program output.
    var recorder: FlowRecorder?
    /// Replaces the network and programs by recorded responses.
    var answers: RecordedAnswers?
    /// Whether failed attempts are followed by a back-off.
    var waitsBeforeRetries = true
    /// Called when a load begins or ends a wait for its host.
    var lineWatch: (@Sendable (Bool) -> Void)?
    /// Collects the budgets of a task's steps, which know the constructed bytes.
    var budgets: Locked<[ExpressionBudget]>?
    /// Called with problems that don't fail the run.
    var warn: (@Sendable (String) -> Void)?
    /// Called with the values that a step of an element has found for the elements of its map.
    var grow: (@Sendable ([JSON]) throws -> Void)?
    /// Called with each written file, if files are recorded.
    var saved: (@Sendable (ProducedFile) -> Void)?
}

extension FlowSetting {
    /// Adopts the settings that apply to all files of a run: recording, answers and time.
    mutating func takeOver(_ other: FlowSetting, ownsConnections: Bool) {
        if ownsConnections {
            connections.transport = other.connections.transport
            // A cached response would not reach the recording transport.
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

/// The values visible to the formulas of one step.
struct FlowScope {
    let setting: FlowSetting
    let bag: Content
    /// The step's input.
    let input: FlowValue?
    /// Throws once the step was cancelled; for long computations.
    let checkCancellation: @Sendable () throws -> Void
    /// The budget shared by the step's formulas.
    let budget: ExpressionBudget

    /// Creates a scope with its own budget, unless one is given.
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

    /// Returns an evaluator; `element` replaces `it` if given.
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

    /// Returns the path of a template.
    func path(_ place: FlowTemplate) throws -> String {
        try place.filled(by: evaluator()) { value, before, formula in
            try FlowAddress.fillPath(value, after: before, isForeign: isForeign(formula))
        }
    }

    /// Returns the path of a file to write; throws if it ends with a slash, as with an empty name in a folder.
    func filePath(_ place: FlowTemplate) throws -> String {
        let path = try path(place)
        guard !path.ends(with: "/") else { throw FlowError("\"\(path)\" names a folder, and no file in it") }
        return path
    }

    /// Returns whether a formula's value may come from a server or a program.
    func isForeign(_ formula: FlowExpression) -> Bool {
        setting.foreignFormulas.contains(formula.root.offset)
    }
}
