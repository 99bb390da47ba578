import SteplineJSON

/// A key of an object in a workflow file.
///
/// The reader, the schema (`stepline schema`) and the manual page (`stepline schema --man`) share one table of keys.
struct FlowKey: Sendable {
    let name: String
    let type: FlowType
    /// The description for editors and the manual page; nil if the definition of the type has one.
    let help: String?
    let isRequired: Bool
    /// The value of a file that doesn't set the key; nil for none.
    let standard: JSON?
    let examples: [JSON]
    /// The former name, which is reported with the new one.
    let formerName: String?
    /// The text that replaces the former key, if its values have changed too; nil for the same value.
    let replacement: String?

    init(
        _ name: String, _ type: FlowType, _ help: String? = nil, isRequired: Bool = false,
        default standard: JSON? = nil, formerly formerName: String? = nil, now replacement: String? = nil,
        example: JSON...
    ) {
        self.name = name
        self.type = type
        self.help = help
        self.isRequired = isRequired
        self.standard = standard
        examples = example
        self.formerName = formerName
        self.replacement = replacement
    }
}

/// The keys of one kind of object in a workflow file.
struct FlowKeys: Sendable {
    let all: [FlowKey]
    /// The keys of which an object has exactly one; empty for no such rule.
    let oneOf: [String]
    /// The keys that have no meaning without another key, and that other key.
    let needs: [String: String]

    init(_ all: [FlowKey], oneOf: [String] = [], needs: [String: String] = [:]) {
        self.all = all
        self.oneOf = oneOf
        self.needs = needs
    }

    var names: [String] { all.map(\.name) }

    subscript(name: String) -> FlowKey? { all.first { $0.name == name } }
}
