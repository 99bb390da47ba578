import SteplineJSON
import SteplineSupport

/// Builds a workflow file from nodes and reports all errors; invalid parts are left out.
///
/// Reading never stops at an error, so that one run reports all of them. `JSON5Reader` or `YAMLReader` has built
/// the nodes with their offsets. `FlowChecker` later resolves names. Begin reading with `file`.
struct FlowReader {
    var issues: FlowIssues
    /// The valid formulas read so far.
    var formulas: [FlowExpression] = []
    /// The environment variables of all programs.
    private(set) var variables: [(name: String, value: FlowTemplate)] = []

    /// Reads a file; nil if it has syntax errors.
    static func read(_ source: FlowSource, _ issues: inout FlowIssues) -> FlowFile? {
        guard let root = source.parse(&issues) else { return nil }
        var reader = FlowReader(issues: issues)
        defer { issues = reader.issues }
        return reader.file(root, source)
    }

    private mutating func file(_ root: FlowNode, _ source: FlowSource) -> FlowFile? {
        guard let fields = fields(root, "a workflow file", .file) else { return nil }
        var file = FlowFile(name: Self.standardName(source.name))
        _ = fields["$schema"].flatMap { text($0, "$schema") }
        if let name = fields["name"].flatMap({ text($0, "name") }) {
            if name.string.isEmpty { issues.add(.wrongValue, at: name.start, "the name is empty") }
            file.name = name.string
        }
        file.description = fields["description"].flatMap { text($0, "description")?.string }
        if let node = fields["parameters"] { file.parameters = parameters(node) }
        if let node = fields["secrets"] { file.secrets = secrets(node) }
        if let node = fields["namespaces"] { file.namespaces = namespaces(node) }
        if let node = fields["pools"] { file.pools = pools(node) }
        file.network = fields["network"].flatMap { network($0) }
        if let defaults = fields["defaults"].flatMap({ self.fields($0, "defaults", .policies) }) {
            file.defaults = policies(defaults)
        }
        if let node = fields["env"] { variables = environment(node) }
        file.environment = variables
        file.concurrency = integer("concurrency", of: fields)
        file.cancelsOthersOnFailure = choice("onFailure", of: fields) == "cancelOthers"
        file.deadline = fields["deadline"].flatMap { timeLimit($0, "deadline") }
        if let node = fields["tasks"] {
            file.tasks = tasks(node)
        } else if fields.lacks("tasks") {
            issues.add(.missingKey, at: root.offset, "there are no tasks", hint: "add tasks: { … }")
        }
        if let node = fields["result"] {
            file.result = literal(node)
            var meaning = FlowMeaning()
            meaning.add(node)
            file.resultMeaning = meaning.value
        }
        file.formulas = formulas
        return file
    }

    /// Returns the file name without its extension.
    private static func standardName(_ name: String) -> String {
        let file = name.lastName
        return file.split(separator: ".").first.map(String.init) ?? "workflow"
    }

    // MARK: Parameters, namespaces, pools

    private mutating func parameters(_ node: FlowNode) -> [FlowParameter] {
        members(node, "parameters").map { member in
            var parameter = FlowParameter(name: member.key, offset: member.offset)
            if !Self.isName(member.key) {
                issues.add(
                    .parameter, at: member.offset,
                    "a parameter's name may contain only letters, digits and _")
            } else if FlowExpression.Name.reserved.contains(member.key) {
                issues.add(.parameter, at: member.offset, "\"\(member.key)\" is a reserved name")
            }
            guard case .object = member.value.value else {
                let value = member.value.json
                guard let kind = FlowParameter.Kind(of: value) else {
                    issues.add(.wrongType, at: member.value.offset, "null is no default")
                    parameter.isKindKnown = false
                    return parameter
                }
                parameter.kind = kind
                parameter.standard = value
                parameter.isRequired = false
                return parameter
            }
            describe(&parameter, member.value)
            return parameter
        }
    }

    private mutating func describe(_ parameter: inout FlowParameter, _ node: FlowNode) {
        guard let fields = fields(node, "a parameter", .parameter) else { return }
        let given = fields["default"]
        if fields["type"] != nil {
            let kind: FlowParameter.Kind? = word("type", of: fields)
            parameter.kind = kind ?? .string
            parameter.isKindKnown = kind != nil
        } else if let kind = given.flatMap({ FlowParameter.Kind(of: $0.json) }) {
            parameter.kind = kind
        }
        parameter.description = fields["description"].flatMap { text($0, "description")?.string }
        let isRequired = truth("required", of: fields)
        parameter.isRequired = isRequired ?? (given == nil)
        bound(&parameter, fields)
        guard let given else { return }
        let value = given.json
        if isRequired == true {
            issues.add(.parameter, at: given.offset, "a required parameter needs no default")
        }
        if !parameter.kind.accepts(value) {
            issues.add(
                .wrongType, at: given.offset,
                "the default is \(given.kind), but the type is \(parameter.kind)")
        } else if let objection = parameter.objection(to: value) {
            issues.add(.wrongValue, at: given.offset, "the default: \(objection)")
        } else {
            parameter.standard = value
        }
    }

    private mutating func namespaces(_ node: FlowNode) -> [String: String] {
        var namespaces: [String: String] = [:]
        for member in members(node, "namespaces") {
            namespaces[member.key] = text(member.value, "a namespace")?.string
        }
        return namespaces
    }

    private mutating func pools(_ node: FlowNode) -> [FlowPool] {
        members(node, "pools").map { member in
            // One whose capacity can't be read is there as well.
            let capacity = integer(member.value, "a pool's capacity", FlowType.capacity) ?? 1
            return FlowPool(name: member.key, offset: member.offset, capacity: capacity)
        }
    }

    static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else {
            return false
        }
        return text.unicodeScalars.allSatisfy(isOfName)
    }

    /// Returns whether a scalar may be part of a name.
    static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}

extension FlowParameter.Kind {
    /// Creates the kind of a default value; nil for null and objects.
    init?(of value: JSON) {
        switch value.kind {
        case .string: self = .string
        case .number: self = value.int == nil ? .number : .integer
        case .bool: self = .boolean
        case .array: self = .list
        case .null, .object: return nil
        }
    }

    /// The kind of such a value in formulas.
    var value: JSON.Kind {
        switch self {
        case .string: .string
        case .number, .integer: .number
        case .boolean: .bool
        case .list: .array
        }
    }

    func accepts(_ value: JSON) -> Bool {
        switch self {
        case .string: value.kind == .string
        case .number: value.kind == .number
        case .integer: value.int != nil
        case .boolean: value.kind == .bool
        case .list: value.kind == .array
        }
    }
}
