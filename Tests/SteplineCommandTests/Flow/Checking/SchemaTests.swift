import Foundation
import SteplineJSON
import SteplineSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: the schema", .timeLimit(.minutes(5)))
struct SchemaTests {
    private func value(_ name: String) throws -> JSON? {
        var issues = FlowIssues()
        let node = JSON5Reader.read(try FlowFixtures.source(name), &issues)
        // Any editor refuses a file that can't be read.
        return issues.all.contains { $0.code == .syntax } ? nil : node?.json
    }

    @Test("the schema accepts every file that the parser accepts", arguments: FlowFixtures.accepted)
    func accepts(name: String) throws {
        let validator = SchemaValidator(schema: FlowSchema.json())
        let value = try #require(try value(name))
        #expect(try validator.accepts(value))
    }

    @Test(
        "the schema refuses files that the parser refuses, where a schema can tell",
        arguments: FlowFixtures.refused)
    func refuses(name: String) throws {
        let text = try FlowFixtures.text("refuse/\(name)")
        try #require(text.contains("// schema: refuses") != text.contains("// schema: accepts"))
        guard let value = try value("refuse/\(name)") else {
            return #expect(text.contains("// schema: refuses"))
        }
        let validator = SchemaValidator(schema: FlowSchema.json())
        #expect(try validator.accepts(value) == text.contains("// schema: accepts"))
    }

    /// A flow with an object of each kind, in which `KEYS` stands for its members.
    private static let places: [(keys: FlowKeys, flow: String)] =
        [
            (.file, "{ KEYS }"), (.network, "{ network: { KEYS }, tasks: {} }"),
            (.policies, "{ defaults: { KEYS }, tasks: {} }"),
            (.parameter, "{ parameters: { p: { KEYS } }, tasks: {} }"), (.task, "{ tasks: { a: { KEYS } } }"),
            (.retry, "{ defaults: { retry: { KEYS } }, tasks: {} }"),
            (.next, "{ tasks: { a: { steps: [ { pages: 'http://h', next: { KEYS } } ] } } }"),
            (.column, "{ tasks: { a: { steps: [ { columns: { c: { KEYS } } } ] } } }"),
        ]
        + FlowKeys.secret.names.map {
            (FlowKeys([FlowKeys.secret[$0]].compactMap(\.self)), "{ secrets: { s: { KEYS } }, tasks: {} }")
        }
        + FlowKeys.verbs.map { ($0, "{ tasks: { a: { steps: [ { KEYS } ] } } }") }

    @Test("the reader reads every key of the table: it reports a null that the type excludes")
    func keysAreRead() {
        for (keys, flow) in Self.places {
            let members = keys.all.map { "\n\($0.name): \($0.isRequired ? $0.examples[0] : .null)" }
                .joined(separator: ",")
            let found = FlowSource(name: "f", text: flow.rewriting("KEYS", as: members)).findings()
            for (line, key) in zip(2..., keys.all) where !key.isRequired {
                if case .any = key.type { continue }
                if case .members(of: .any, _, _, _) = key.type { continue }
                #expect(found.contains { $0.hasPrefix("\(line):") }, "\(key.name) of \(keys.names): \(found)")
            }
        }
    }

    @Test("times and sizes are written as the parser reads them")
    func amounts() throws {
        let defs = try #require(FlowSchema.json()["$defs"])
        func accepts(_ name: String, _ text: String) throws -> Bool {
            try SchemaValidator(schema: #require(defs[name])).accepts(JSON(text))
        }
        for text in ["30s", "500ms", "1.5h", "2m", "1d", "7", "", "s", "-1s", "1 s", "3 parsecs", "1w"] {
            #expect(try accepts("duration", text) == (UnitText.duration(text) != nil), "\(text)")
        }
        for text in ["10MB", "1.5k", "7", "2GiB", "64KB", "", "MB", "-1", "1 MB", "1X"] {
            #expect(try accepts("size", text) == (UnitText.bytes(text) != nil), "\(text)")
        }
    }
}
