import Foundation
import SteplineJSON
import SteplineSupport

/// The manual page of workflow files, `stepline-flow(5)`, generated from their JSON Schema.
struct FlowManual {
    /// Returns the page.
    static func text() throws -> String {
        try FlowManual(schema: JSON(parsing: Data(PackageResources.flow_schema_json))).text
    }

    private let schema: JSON

    /// Creates the manual.
    ///
    /// - Parameter schema: The schema as printed by `stepline schema`.
    init(schema: JSON) { self.schema = schema }

    /// The page.
    var text: String {
        var lines = [
            ".TH STEPLINE\\-FLOW 5 \"\(Version.date)\" \"stepline \(Version.text)\" \"File Formats\"",
            ".SH NAME", "stepline\\-flow \\- workflow files of stepline(1)",
            ".SH DESCRIPTION", Roff.text(schema["description"]?.string ?? ""),
        ]
        for paragraph in Self.paragraphs { lines += [".PP", Roff.text(paragraph)] }
        lines += Roff.example(Self.example)
        lines += section("THE FILE", schema)
        for (key, property) in schema["properties"]?.members.map({ ($0.key, $0.value) }) ?? [] {
            lines += parts(of: property, called: key)
        }
        lines += steps
        lines.append(".SH VALUES")
        for name in ["duration", "size", "query", "expression", "names"] {
            guard let definition = schema["$defs"]?[name] else { continue }
            let words = definition["description"]?.string ?? ""
            lines += [".TP", ".I " + Roff.text(Self.words[name] ?? name), Roff.text(words)]
        }
        lines += Self.testing
        lines += [".SH SEE ALSO", ".BR stepline (1)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static let paragraphs = [
        "The file is JSON5: comments, trailing commas, single quotes and keys without quotes are fine. A key must not "
            + "come twice. Paths are those of the file's folder. \"stepline check\" tells every mistake at once, with "
            + "its place; \"stepline schema\" writes the JSON Schema that this page is made from.",
        "A text may hold ${...}, an expression that is filled in: a parameter (city), the result of a task waited for "
            + "(tasks.geo.lat), the value so far (it), and in a map the element (item) and its number (index). "
            + "$${ stands for ${.",
    ]

    private static let example = [
        "{", "  parameters: { city: \"Oslo\" },", "  tasks: {", "    geo: {", "      steps: [",
        "        { load: \"https://weather.example/v1/search?name=${city}\" },",
        "        { parse: \"json\" },", "        { first: \"$.results[0]\" },",
        "        { save: \"out/${city}.json\" },", "      ],", "    },", "  },", "}",
    ]

    // MARK: Objects

    /// Returns the sections about objects inside a key's value.
    private func parts(of property: JSON, called key: String) -> [String] {
        var lines: [String] = []
        if let object = object(in: property) {
            lines += section("THE KEY \(key)", object)
            for (name, inner) in object["properties"]?.members.map({ ($0.key, $0.value) }) ?? []
            where isOwn(inner) {
                lines += parts(of: inner, called: name)
            }
        }
        if let each = property["additionalProperties"], let object = object(in: each) {
            lines += section("EACH OF \(key)", object)
            if key == "tasks", let retry = schema["$defs"]?["retry"], let policy = self.object(in: retry) {
                lines += section("THE KEY retry", policy)
            }
        }
        return lines
    }

    /// Returns whether a property is described in place, not in a shared definition.
    private func isOwn(_ property: JSON) -> Bool { property["$ref"] == nil }

    /// Returns the object that a value is or may be, if its keys are known.
    private func object(in property: JSON) -> JSON? {
        let property = resolved(property)
        if property["properties"] != nil { return property }
        return property["anyOf"]?.elements.lazy.compactMap { object(in: $0) }.first
    }

    private func section(_ title: String, _ object: JSON) -> [String] {
        [".SH " + Roff.text(title)] + entries(object) { _ in true }
    }

    private func entries(_ object: JSON, where isWanted: (String) -> Bool) -> [String] {
        let required = Set(object["required"]?.elements.compactMap(\.string) ?? [])
        return object["properties"]?.members.filter { isWanted($0.key) }.flatMap { key, property in
            entry(key, property, isRequired: required.contains(key))
        } ?? []
    }

    private func entry(_ key: String, _ property: JSON, isRequired: Bool) -> [String] {
        let description = property["description"] ?? resolved(property)["description"]
        var facts = "Type: \(type(property))."
        if isRequired {
            facts += " Must be there."
        } else {
            facts += " Default: \(property["default"].map(Self.written) ?? "none")."
        }
        var lines = [".TP", ".B " + Roff.text(key), Roff.text(description?.string ?? ""), ".br"]
        lines.append(Roff.text(facts))
        for example in property["examples"]?.elements.map({ $0 }) ?? [] {
            lines += [".br", Roff.text("Example: \(key): \(Self.written(example))")]
        }
        return lines
    }

    /// Returns a value in JSON5, with unquoted keys where possible.
    private static func written(_ value: JSON) -> String {
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

    private var steps: [String] {
        let kinds = schema["$defs"]?["step"]?["anyOf"]?.elements.map { $0 } ?? []
        guard let first = kinds.first else { return [] }
        // Describe keys shared by all steps once.
        let shared = kinds.dropFirst().reduce(Set(first["properties"]?.keys ?? [])) {
            $0.intersection($1["properties"]?.keys ?? [])
        }
        var lines = [
            ".SH STEPS", "A step is an object with one of these keys. It takes the value of the step before.",
        ]
        for kind in kinds {
            guard let verb = kind["required"]?[0]?.string else { continue }
            lines += [".SS " + Roff.text(verb)] + entries(kind) { !shared.contains($0) }
            for (name, property) in kind["properties"]?.members.map({ ($0.key, $0.value) }) ?? [] {
                let each = property["additionalProperties"]
                guard
                    let object = each.flatMap({ object(in: $0) })
                        ?? (isOwn(property) ? object(in: property) : nil)
                else { continue }
                let what = each == nil ? name : "Each of \(name)"
                lines += [".PP", Roff.text("\(what) may be an object with these keys:")]
                lines += entries(object) { _ in true }
            }
        }
        lines += [".SS Every step", "Besides, every step may have these keys."]
        return lines + entries(first) { shared.contains($0) }
    }

    // MARK: Types

    private static let words = [
        "duration": "time", "size": "size", "query": "path", "expression": "expression",
        "names": "name or list of names",
    ]

    private func resolved(_ node: JSON) -> JSON {
        guard let name = node["$ref"]?.string?.lastName else { return node }
        return schema["$defs"]?[name] ?? node
    }

    /// Returns the type of a value in words.
    private func type(_ node: JSON) -> String {
        if let name = node["$ref"]?.string?.lastName {
            return Self.words[name] ?? type(resolved(node))
        }
        if let choices = node["anyOf"] { return choices.elements.map(type).joined(separator: ", or ") }
        if let words = node["enum"] {
            let written = words.elements.map(Self.written)
            return written.count == 1 ? written[0] : "one of \(written.joined(separator: ", "))"
        }
        let kinds = node["type"].map { $0.array ?? [$0] }?.compactMap(\.string) ?? []
        guard !kinds.isEmpty else { return "any value" }
        return kinds.map { kind($0, node) }.joined(separator: ", ")
    }

    private func kind(_ name: String, _ node: JSON) -> String {
        switch name {
        case "string": return "text"
        case "integer": return "whole number" + range(node)
        case "number": return "number" + range(node)
        case "boolean": return "true or false"
        case "array": return node["items"].map { "list of \(items($0))" } ?? "list"
        case "object":
            guard let each = node["additionalProperties"], each.kind == .object else { return "object" }
            return "object, of each name: \(type(each))"
        default: return name
        }
    }

    private func items(_ node: JSON) -> String {
        node["$ref"]?.string?.hasSuffix("/step") == true ? "steps" : "\(type(node))s"
    }

    private func range(_ node: JSON) -> String {
        switch (node["minimum"]?.description, node["maximum"]?.description) {
        case (let low?, let high?): " from \(low) to \(high)"
        case (let low?, nil): " from \(low)"
        case (nil, let high?): " to \(high)"
        case (nil, nil): ""
        }
    }
}
