import SteplineJSON

/// A workflow file as it was read: every part knows its place, nothing has been looked up yet.
struct FlowFile: Sendable {
    var name: String
    var description: String?
    /// A digest of what it says that holds for all its tasks.
    var meaning: UInt64 = 0
    var parameters: [FlowParameter] = []
    var secrets: [FlowSecret] = []
    /// Prefixes for XPath.
    var namespaces: [String: String] = [:]
    var pools: [FlowPool] = []
    var network: FlowNetwork?
    /// What holds for tasks that don't say otherwise.
    var defaults = FlowPolicies()
    var concurrency: Int?
    var cancelsOthersOnFailure = false
    var deadline: Duration?
    var tasks: [FlowTask] = []
    /// What the file makes for one that runs it.
    var result: FlowLiteral?
    /// Every formula in it, wherever it stands.
    var formulas: [FlowExpression] = []

    func task(_ name: String) -> FlowTask? { tasks.first { $0.name == name } }
    func secret(_ name: String) -> FlowSecret? { secrets.first { $0.name == name } }
    /// What the values of a parameter are to formulas; nil if it may have none.
    func kind(ofParameter name: String) -> JSON.Kind? {
        guard let parameter = parameter(name), parameter.isKindKnown else { return nil }
        return parameter.standard != nil || parameter.isRequired ? parameter.kind.value : nil
    }
    func parameter(_ name: String) -> FlowParameter? { parameters.first { $0.name == name } }
}

/// A name that refers to something, and where it stands.
struct FlowReference: Sendable, Hashable {
    let name: String
    let offset: Int
}

/// A value that is given when the workflow is run.
struct FlowParameter: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case string, number, integer, boolean, list
    }

    let name: String
    let offset: Int
    var kind = Kind.string
    /// Whether its kind isn't one that was misspelt.
    var isKindKnown = true
    var standard: JSON?
    var isRequired = true
    var description: String?
    /// The only values that it may have; of a list, that its elements may have.
    var values: [JSON] = []
    /// What it, or each element of it, must look like as a whole.
    var pattern: String?
    var minimum: Double?
    var maximum: Double?
}

/// A number of places that tasks share.
struct FlowPool: Sendable {
    let name: String
    let offset: Int
    let capacity: Int
}
