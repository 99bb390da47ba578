import SteplineJSON

/// A parsed workflow file with the places of its parts; names aren't resolved yet.
struct FlowFile: Sendable {
    var name: String
    var description: String?
    /// A digest of the result.
    var resultMeaning: UInt64 = 0
    var parameters: [FlowParameter] = []
    var secrets: [FlowSecret] = []
    /// The XPath prefixes.
    var namespaces: [String: String] = [:]
    var pools: [FlowPool] = []
    var network: FlowNetwork?
    /// The environment variables of all programs; those of steps contain them.
    var environment: [(name: String, value: FlowTemplate)] = []
    /// The default policies of tasks.
    var defaults = FlowPolicies()
    var concurrency: Int?
    var cancelsOthersOnFailure = false
    var deadline: Duration?
    var tasks: [FlowTask] = []
    /// The result of a run, and of a task that runs this file.
    var result: FlowLiteral?
    /// All formulas in the file.
    var formulas: [FlowExpression] = []

    func task(_ name: String) -> FlowTask? { tasks.first { $0.name == name } }
    func secret(_ name: String) -> FlowSecret? { secrets.first { $0.name == name } }
    /// Returns the kind of a parameter's value in formulas; nil if it may be missing.
    func kind(ofParameter name: String) -> JSON.Kind? {
        guard let parameter = parameter(name), parameter.isKindKnown else { return nil }
        return parameter.standard != nil || parameter.isRequired ? parameter.kind.value : nil
    }
    func parameter(_ name: String) -> FlowParameter? { parameters.first { $0.name == name } }
}

/// A name that refers to something, with its place.
struct FlowReference: Sendable, Hashable {
    let name: String
    let offset: Int
}

/// A parameter of a workflow file.
struct FlowParameter: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case string, number, integer, boolean, list
    }

    let name: String
    let offset: Int
    var kind = Kind.string
    /// Whether the kind was valid.
    var isKindKnown = true
    var standard: JSON?
    var isRequired = true
    var description: String?
    /// The allowed values, or the allowed elements of a list.
    var values: [JSON] = []
    /// The pattern that the value or each element must match as a whole.
    var pattern: String?
    var minimum: Double?
    var maximum: Double?
}

/// A pool of slots that tasks share.
struct FlowPool: Sendable {
    let name: String
    let offset: Int
    let capacity: Int
}
