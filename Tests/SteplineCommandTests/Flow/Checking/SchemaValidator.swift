import Foundation
import SteplineJSON

/// Holds values against a JSON Schema: the keywords that the schema of workflow files uses.
struct SchemaValidator {
    /// A keyword that isn't known would be a rule that nobody checks.
    struct UnknownKeyword: Error {
        let name: String
    }

    private static let silent: Set<String> = [
        "$schema", "$defs", "title", "description", "default", "examples",
    ]
    let schema: JSON

    func accepts(_ value: JSON) throws -> Bool { try accepts(value, schema) }

    private func accepts(_ value: JSON, _ rules: JSON) throws -> Bool {
        try rules.members.allSatisfy { keyword, rule in
            try Self.silent.contains(keyword) || holds(value, keyword, rule, rules)
        }
    }

    private func holds(_ value: JSON, _ keyword: String, _ rule: JSON, _ rules: JSON) throws -> Bool {
        switch keyword {
        case "$ref":
            let name = rule.string?.split(separator: "/").last.map(String.init) ?? ""
            guard let target = schema["$defs"]?[name] else { throw UnknownKeyword(name: rule.description) }
            return try accepts(value, target)
        case "type": return (rule.array ?? [rule]).contains { Self.isOf(value, $0.string ?? "") }
        case "enum": return rule.elements.contains { $0 == value }
        case "anyOf": return try rule.elements.contains { try accepts(value, $0) }
        case "oneOf": return try rule.elements.count { try accepts(value, $0) } == 1
        case "not": return try !accepts(value, rule)
        case "minimum": return value.double.map { $0 >= rule.double ?? 0 } ?? true
        case "maximum": return value.double.map { $0 <= rule.double ?? 0 } ?? true
        case "minLength": return value.string.map { $0.unicodeScalars.count >= rule.int ?? 0 } ?? true
        case "pattern":
            guard let text = value.string else { return true }
            let pattern = try NSRegularExpression(pattern: rule.string ?? "")
            return pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
        case "items": return try value.elements.allSatisfy { try accepts($0, rule) }
        case "minItems": return value.kind != .array || value.count >= rule.int ?? 0
        case "uniqueItems":
            let elements = value.elements.map(\.description)
            return Set(elements).count == elements.count
        case "minProperties": return value.kind != .object || value.count >= rule.int ?? 0
        case "required":
            return value.kind != .object || rule.elements.allSatisfy { value[$0.string ?? ""] != nil }
        case "properties":
            return try rule.members.allSatisfy { key, rules in
                try value[key].map { try accepts($0, rules) } ?? true
            }
        case "additionalProperties":
            let known = Set(rules["properties"]?.keys ?? [])
            return try value.members.allSatisfy { key, member in
                try known.contains(key) || (rule.bool ?? accepts(member, rule))
            }
        case "propertyNames": return try value.keys.allSatisfy { try accepts(JSON($0), rule) }
        case "dependentRequired":
            return rule.members.allSatisfy { key, needed in
                value[key] == nil || needed.elements.allSatisfy { value[$0.string ?? ""] != nil }
            }
        default: throw UnknownKeyword(name: keyword)
        }
    }

    private static func isOf(_ value: JSON, _ type: String) -> Bool {
        switch type {
        case "object": value.kind == .object
        case "array": value.kind == .array
        case "string": value.kind == .string
        case "number": value.kind == .number
        case "integer": value.int != nil
        case "boolean": value.kind == .bool
        case "null": value.isNull
        default: false
        }
    }
}
