import SteplineJSON
import SteplineSupport

/// The manual page of workflow files, `stepline-flow(5)`, generated from the table of keys.
enum FlowManual {
    /// The page, for `man`.
    static func text() -> String {
        var lines = [
            ".TH STEPLINE\\-FLOW 5 \"\(Version.date)\" \"stepline \(Version.text)\" \"File Formats\"",
            ".SH NAME", "stepline\\-flow \\- workflow files of stepline(1)",
            ".SH DESCRIPTION", Roff.text(FlowSchema.summary),
        ]
        for paragraph in paragraphs { lines += [".PP", Roff.text(paragraph)] }
        lines += Roff.example(example)
        lines += section("THE FILE", .file)
        for key in FlowKeys.file.all { lines += sections(of: key) }
        lines += section("THE KEY retry", .retry)
        lines += steps
        lines.append(".SH VALUES")
        for definition in FlowDefinition.allCases {
            guard let word = definition.word, let help = definition.help else { continue }
            lines += [".TP", ".I " + Roff.text(word), Roff.text(help)]
        }
        lines += testing
        lines += [".SH SEE ALSO", ".BR stepline (1)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static let paragraphs = [
        "The file is JSON5: comments, trailing commas, single quotes and unquoted keys are allowed, duplicate keys "
            + "are not. A file named .yaml or .yml is YAML 1.2 of the core schema, read by libyaml (Debian: "
            + "libyaml-0-2): no is text, and aliases work; merge keys, other tags, further documents and keys that "
            + "aren't text are refused. STEPLINE_LIBYAML names another file of the library. Paths are relative to the file's folder. \"stepline check\" lists all mistakes with their "
            + "places; \"stepline schema\" writes a JSON Schema for editors.",
        "${...} inserts an expression into a text: a parameter (city), the result of a task in after "
            + "(tasks.geo.lat), the current value (it), and in a map the element (item) and its number (index). "
            + "$${ is a literal ${.",
    ]

    private static let example = [
        "{", "  parameters: { city: \"Oslo\" },", "  tasks: {", "    geo: {", "      steps: [",
        "        { load: \"https://weather.example/v1/search?name=${city}\" },",
        "        { parse: \"json\" },", "        { first: \"$.results[0]\" },",
        "        { save: \"out/${city}.json\" },", "      ],", "    },", "  },", "}",
    ]

    // MARK: Objects

    /// The section on the object that a key takes, or on each of its members.
    private static func sections(of key: FlowKey) -> [String] {
        if case .members(let value, _, _, _) = key.type {
            value.keys.map { section("EACH OF \(key.name)", $0) } ?? []
        } else {
            key.type.keys.map { section("THE KEY \(key.name)", $0) } ?? []
        }
    }

    private static func section(_ title: String, _ keys: FlowKeys) -> [String] {
        [".SH " + Roff.text(title)] + keys.all.flatMap(entry)
    }

    private static func entry(_ key: FlowKey) -> [String] {
        var facts = "Type: \(key.type.words)."
        if key.isRequired {
            facts += " Required."
        } else {
            facts += " Default: \(key.standard.map(written) ?? "none")."
        }
        return [".TP", ".B " + Roff.text(key.name), Roff.text(key.description), ".br", Roff.text(facts)]
            + key.examples.flatMap { [".br", Roff.text("Example: \(key.name): \(written($0))")] }
    }

    /// As a flow would have it: keys that need no quotes have none.
    static func written(_ value: JSON) -> String {
        if value.kind == .object {
            let members = value.members.map { key, member in
                let isPlain = key.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
                return "\(isPlain ? key : JSON(key).description): \(written(member))"
            }
            return "{ \(members.joined(separator: ", ")) }"
        }
        if value.kind == .array { return "[\(value.elements.map(written).joined(separator: ", "))]" }
        return value.description
    }

    // MARK: Steps

    private static var steps: [String] {
        var lines = [
            ".SH STEPS", "A step is an object with one of these keys. It gets the previous step's value.",
        ]
        let shared = FlowKeys.everyStep.map(\.name)
        for verb in FlowKeys.verbs {
            let own = verb.all.filter { !shared.contains($0.name) }
            lines += [".SS " + Roff.text(own[0].name)] + own.flatMap(entry)
            for key in own {
                let isMember: Bool
                let keys: FlowKeys?
                if case .members(let value, _, _, _) = key.type {
                    (isMember, keys) = (true, value.keys)
                } else {
                    (isMember, keys) = (false, key.type.keys)
                }
                guard let keys else { continue }
                let what = isMember ? "Each of \(key.name)" : key.name
                lines += [".PP", Roff.text("\(what) may be an object with these keys:")]
                lines += keys.all.flatMap(entry)
            }
        }
        lines += [".SS Every step", "Every step may also have these keys."]
        return lines + FlowKeys.everyStep.flatMap(entry)
    }
}

extension FlowKey {
    /// The description of the key, or that of its type.
    var description: String {
        if case .shared(let definition) = type { help ?? definition.help ?? "" } else { help ?? "" }
    }
}

extension FlowDefinition {
    /// The name of the type on the manual page; nil if the page spells the type out.
    fileprivate var word: String? {
        switch self {
        case .duration: "time"
        case .names: "name or list of names"
        case .query: "path"
        case .size, .expression: rawValue
        case .retry, .paths, .parameter, .secret, .task, .step: nil
        }
    }
}

extension FlowType {
    /// The type in words, for the manual page.
    fileprivate var words: String {
        switch self {
        case .any: "any value"
        case .string, .text, .matching: "text"
        case .choice(let words): "one of " + words.map { JSON($0).description }.joined(separator: ", ")
        case .boolean: "true or false"
        case .yes: "true"
        case .integer(let range): "integer from \(range.lowerBound) to \(range.upperBound)"
        case .number(nil): "number"
        case .number(let range?):
            "number from \(JSON(computed: range.lowerBound)) to \(JSON(computed: range.upperBound))"
        case .list(of: .any, _, _): "list"
        case .list(of: .shared(.step), _, _): "list of steps"
        case .list(let element, _, _): "list of \(element.words)s"
        case .object, .members(of: .any, _, _, _): "object"
        case .members(let value, _, _, _): "object; each value: \(value.words)"
        case .either(let types): types.map(\.words).joined(separator: types.count > 2 ? ", " : ", or ")
        case .shared(let definition): definition.word ?? definition.type.words
        }
    }
}
