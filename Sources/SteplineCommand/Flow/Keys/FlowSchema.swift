import SteplineJSON

/// The JSON Schema of workflow files, generated from the table of keys.
enum FlowSchema {
    static let summary = "Named tasks, each a chain of steps, run by `stepline run`."

    /// The schema, in the dialect 2020-12.
    static func json() -> JSON {
        object(
            [
                ("$schema", "https://json-schema.org/draft/2020-12/schema"),
                ("title", "Stepline workflow file"), ("description", JSON(summary)),
            ] + rules(.object(.file)) + [
                ("$defs", object(FlowDefinition.allCases.map { ($0.rawValue, schema($0.type, $0.help)) }))
            ])
    }

    private typealias Rules = [(key: String, value: JSON)]

    private static func schema(_ type: FlowType, _ help: String? = nil) -> JSON {
        object((help.map { [("description", JSON($0))] } ?? []) + rules(type))
    }

    /// The rules for the value of a key.
    static func property(_ key: FlowKey) -> JSON {
        var rules: Rules = key.help.map { [("description", JSON($0))] } ?? []
        rules += Self.rules(key.type)
        if let standard = key.standard { rules.append(("default", standard)) }
        return object(rules + [("examples", list(key.examples))])
    }

    private static func rules(_ type: FlowType) -> Rules {
        switch type {
        case .any: []
        case .string: [("type", "string")]
        case .text: [("type", "string"), ("minLength", 1)]
        case .matching(let pattern): [("type", "string"), ("pattern", JSON(pattern))]
        case .choice(let words): [("enum", list(words.map { JSON($0) }))]
        case .boolean: [("type", "boolean")]
        case .yes: [("enum", [true])]
        case .integer(let range):
            [("type", "integer"), ("minimum", JSON(range.lowerBound)), ("maximum", JSON(range.upperBound))]
        case .number(nil): [("type", "number")]
        case .number(let range?):
            [
                ("type", "number"), ("minimum", JSON(computed: range.lowerBound)),
                ("maximum", JSON(computed: range.upperBound)),
            ]
        case .list(let element, let least, let isUnique): list(of: element, least, isUnique)
        case .object(let keys): rules(keys)
        case .members(let value, let least, let pattern, let reserved):
            (least > 0 ? [("minProperties", JSON(least))] : []) + members(value, pattern, reserved)
        case .either(let types): [("anyOf", list(types.map { schema($0) }))]
        case .shared(let definition): [("$ref", JSON("#/$defs/\(definition.rawValue)"))]
        }
    }

    private static func list(of element: FlowType, _ least: Int, _ isUnique: Bool) -> Rules {
        var rules: Rules = [("type", "array")]
        if least > 0 { rules.append(("minItems", JSON(least))) }
        if isUnique { rules.append(("uniqueItems", true)) }
        if case .any = element { return rules }
        return rules + [("items", schema(element))]
    }

    private static func rules(_ keys: FlowKeys) -> Rules {
        var rules: Rules = [("type", "object")]
        let required = keys.all.filter(\.isRequired).map { JSON($0.name) }
        if !required.isEmpty { rules.append(("required", list(required))) }
        if !keys.oneOf.isEmpty {
            rules.append(("oneOf", list(keys.oneOf.map { ["required": [JSON($0)]] })))
        }
        if !keys.needs.isEmpty {
            let needs = keys.needs.sorted { $0.key < $1.key }
            rules.append(("dependentRequired", object(needs.map { ($0.key, [JSON($0.value)]) })))
        }
        rules.append(("additionalProperties", false))
        return rules + [("properties", object(keys.all.map { ($0.name, property($0)) }))]
    }

    private static func members(_ value: FlowType, _ pattern: String?, _ reserved: [String]) -> Rules {
        var names: Rules = [pattern.map { ("pattern", JSON($0)) } ?? ("minLength", 1)]
        if !reserved.isEmpty { names.append(("not", ["enum": list(reserved.map { JSON($0) })])) }
        let rules: Rules = [("type", "object"), ("propertyNames", object(names))]
        if case .any = value { return rules }
        return rules + [("additionalProperties", schema(value))]
    }

    private static func object(_ rules: Rules) -> JSON { (try? JSON(members: rules)) ?? .null }

    private static func list(_ elements: [JSON]) -> JSON { (try? JSON(elements: elements)) ?? .null }
}
