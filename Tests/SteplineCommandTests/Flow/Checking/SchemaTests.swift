import Foundation
import SteplineJSON
import SteplineSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: the schema", .timeLimit(.minutes(5)))
struct SchemaTests {
    private func schema() throws -> JSON { try JSON(parsing: Data(PackageResources.flow_schema_json)) }

    private func value(_ name: String) throws -> JSON? {
        var issues = FlowIssues()
        let node = JSON5Reader.read(try FlowFixtures.source(name), &issues)
        // What can't even be read is refused by any editor.
        return issues.all.contains { $0.code == .syntax } ? nil : node?.json
    }

    @Test("the schema accepts every file that the parser accepts", arguments: FlowFixtures.accepted)
    func accepts(name: String) throws {
        let validator = SchemaValidator(schema: try schema())
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
        let validator = SchemaValidator(schema: try schema())
        #expect(try validator.accepts(value) == text.contains("// schema: accepts"))
    }

    @Test("each kind of object has the keys of the parser, no more and no less")
    func keys() throws {
        let schema = try schema()
        func keys(_ path: String) throws -> Set<String> { Set(try schema.value(at: path).keys) }
        #expect(try keys("/properties") == Set(FlowReader.Keys.file))
        #expect(try keys("/properties/network/properties") == Set(FlowReader.Keys.network))
        #expect(try keys("/$defs/task/properties") == Set(FlowReader.Keys.task))
        #expect(try keys("/properties/defaults/properties") == Set(FlowReader.Keys.policies))
        #expect(try keys("/$defs/retry/anyOf/1/properties") == Set(FlowReader.Keys.retry))
        #expect(try keys("/$defs/parameter/anyOf/1/properties") == Set(FlowReader.Keys.parameter))
        #expect(try keys("/$defs/secret/properties") == Set(FlowReader.Keys.secret))
        let steps = try schema.value(at: "/$defs/step/anyOf")
        #expect(
            try keys("/$defs/step/anyOf/1/properties/next/anyOf/1/properties") == Set(FlowReader.Keys.next))
        #expect(steps.elements.map { $0["required"]?[0]?.string ?? "" } == FlowReader.verbs.map(\.word))
        for (step, verb) in zip(steps.elements, FlowReader.verbs) {
            #expect(Set(step["properties"]?.keys ?? []) == Set([verb.word] + verb.keys + FlowReader.stepKeys))
        }
    }

    @Test("each closed list of words is the parser's")
    func words() throws {
        let schema = try schema()
        func words(_ path: String) throws -> Set<String> {
            Set(try schema.query(path).flatMap { $0.elements.compactMap(\.string) })
        }
        #expect(try words("$..parse.enum") == Set(FlowFormat.allCases.map(\.rawValue)))
        #expect(try words("$..format.enum") == Set(FlowSave.Format.allCases.map(\.rawValue)))
        #expect(
            try words("$['$defs'].parameter..type.enum") == Set(FlowParameter.Kind.allCases.map(\.rawValue)))
        #expect(
            try words("$..columns.additionalProperties..type.enum")
                == Set(FlowColumns.Kind.allCases.map(\.rawValue)))
        #expect(try words("$..propertyNames.not.enum") == Set(FlowExpression.Name.reserved))
    }

    @Test("times and sizes are written as the parser reads them")
    func amounts() throws {
        let defs = try #require(try schema()["$defs"])
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
