import Foundation
import SteplineJSON
import Testing

@testable import SteplineCommand

@Suite("The manual page of workflow files", .timeLimit(.minutes(5)))
struct FlowManualTests {
    /// The keys of every object.
    private static let keys: [FlowKey] =
        [
            FlowKeys.file, .network, .policies, .parameter, .secret, .task, .retry, .next, .column, .script,
        ].flatMap(\.all) + FlowKeys.verbs.flatMap(\.all)

    @Test("every key has a description and an example; its type accepts the example and the default")
    func documented() throws {
        let schema = FlowSchema.json()
        for key in Self.keys {
            #expect(!key.description.isEmpty && !key.examples.isEmpty, "\(key.name)")
            var rules = FlowSchema.property(key)
            rules["$defs"] = schema["$defs"]
            for value in key.examples + (key.standard.map { [$0] } ?? []) {
                #expect(try SchemaValidator(schema: rules).accepts(value), "\(key.name): \(value)")
            }
        }
    }

    @Test("the page has every key and verb, and the keys of a test case")
    func page() async throws {
        let result = try await Command.run(["schema", "--man"])
        #expect(result.status == 0 && result.output.hasPrefix(".TH STEPLINE\\-FLOW 5"))
        for key in Self.keys + FlowCase.keys.all {
            #expect(result.output.contains("\n.B \(Roff.text(key.name))\n"), "\(key.name)")
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
