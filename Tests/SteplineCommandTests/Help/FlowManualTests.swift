import Foundation
import SteplineJSON
import Testing

@testable import SteplineCommand

@Suite("The manual page of workflow files", .timeLimit(.minutes(5)))
struct FlowManualTests {
    private let schema = FlowSchema.json()

    /// All keys of a schema, wherever they are, with what it says of each.
    private func keys(_ node: JSON) -> [(key: String, property: JSON)] {
        var found = node["properties"]?.members.map { (key: $0.key, property: $0.value) } ?? []
        for name in ["properties", "$defs"] {
            for (_, inner) in node[name]?.members.map({ ($0.key, $0.value) }) ?? [] { found += keys(inner) }
        }
        for name in ["additionalProperties", "items"] {
            if let inner = node[name], inner.kind == .object { found += keys(inner) }
        }
        for inner in node["anyOf"]?.elements.map({ $0 }) ?? [] { found += keys(inner) }
        return found
    }

    /// What is missing of keys' descriptions, and what of them is wrong.
    private func faults(_ schema: JSON) throws -> [String] {
        try keys(schema).flatMap { key, property in
            var faults: [String] = []
            let name = property["$ref"]?.string?.split(separator: "/").last.map(String.init)
            let target = name.flatMap { schema["$defs"]?[$0] } ?? property
            if (property["description"] ?? target["description"])?.string?.isEmpty != false {
                faults.append("\(key) has no description")
            }
            var rules = property
            rules["$defs"] = schema["$defs"]
            let validator = SchemaValidator(schema: rules)
            let examples = property["examples"]?.elements.map { $0 } ?? []
            if examples.isEmpty { faults.append("\(key) has no example") }
            for value in examples + (property["default"].map { [$0] } ?? []) {
                if try !validator.accepts(value) { faults.append("\(key) can't be \(value)") }
            }
            return faults
        }
    }

    @Test(
        "every key of the schema has a description and an example; it accepts that and the default"
    )
    func documented() throws {
        #expect(keys(schema).count > 90)
        #expect(try faults(schema) == [])
        // It would be found out.
        var other = schema
        other["properties"]?["novelty"] = try JSON(parsing: #"{"type": "integer", "default": "x"}"#)
        #expect(
            try faults(other)
                == ["novelty has no description", "novelty has no example", "novelty can't be \"x\""])
    }

    @Test("the page has every key with its description, type, default and example")
    func page() async throws {
        let result = try await Command.run(["schema", "--man"])
        #expect(result.status == 0 && result.output.hasPrefix(".TH STEPLINE\\-FLOW 5"))
        // Test cases have keys of their own.
        let page = try #require(result.output.split(separator: "\n.SH TESTING").first)
        let entries = page.split(separator: "\n.TP\n").dropFirst().map { entry in
            entry.split(separator: "\n").prefix { !$0.hasPrefix(".S") && !$0.hasPrefix(".PP") }.map(
                String.init)
        }
        for (key, property) in keys(schema) {
            let own = entries.filter { $0.first == ".B \(Roff.text(key))" }
            #expect(!own.isEmpty, "\(key) isn't on the page")
            #expect(own.allSatisfy { $0.contains { $0.hasPrefix("Type: ") } }, "\(key)")
            if let text = property["description"]?.string {
                #expect(own.contains { $0.contains(Roff.text(text)) }, "\(key): \(text)")
            }
            if let standard = property["default"] {
                let words = Roff.text("Default: \(standard).")
                #expect(own.contains { $0.contains { $0.hasSuffix(words) } }, "\(key)")
            }
            #expect(own.allSatisfy { $0.contains { $0.hasPrefix("Example: \(Roff.text(key)): ") } }, "\(key)")
        }
        for verb in FlowKeys.verbs { #expect(result.output.contains("\n.SS \(verb.all[0].name)\n")) }
    }

    @Test(
        "both manual pages are shown without a warning, by whatever shows them here",
        arguments: [["help", "--man"], ["schema", "--man"]])
    func shown(words: [String]) async throws {
        let page = try await Command.run(words)
        let readers = [
            ("/usr/bin/mandoc", ["-Tlint", "-Wwarning"]),
            ("/usr/bin/groff", ["-man", "-Tutf8", "-ww", "-z"]),
        ]
        for (place, options) in readers {
            guard FileManager.default.isExecutableFile(atPath: place) else {
                print("\(place) isn't installed: it shows no page")
                continue
            }
            let result = try await Command.run(options, program: URL(filePath: place), input: page.data)
            #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result)")
        }
    }
}
