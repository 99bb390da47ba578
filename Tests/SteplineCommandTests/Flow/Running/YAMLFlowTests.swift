import Foundation
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

/// Workflow files in YAML, by the command.
@Suite(
    "Workflow files in YAML", .timeLimit(.minutes(5)),
    .enabled(if: LibYAML.isNeeded, "\(LibYAML.absence)"))
struct YAMLFlowTests {
    private static let sums = """
        parameters: { least: 1 }
        tasks:
          numbers:
            steps:
              - value: [3, 4, 0x5]
              - filter: it >= least
          total:
            after: numbers
            steps: [ { transform: sum(it) } ]
        """

    @Test("a file in YAML is checked, listed, drawn and run like one in JSON5")
    func subcommands() async throws {
        let run = try FlowCommandRun(Self.sums, named: "sums.yaml")
        try run.write(Self.sums, to: "sums.YML")
        try run.write(
            "{ parameters: { least: 1 }, tasks: {"
                + "numbers: { steps: [ { value: [3, 4, 5] }, { filter: 'it >= least' } ] },"
                + "total: { after: 'numbers', steps: [ { transform: 'sum(it)' } ] } } }", to: "sums.json5")
        #expect(try await run("check", "sums.yaml").output == "sums.yaml: no mistakes, 2 tasks\n")
        #expect(try await run("run", "sums.yaml", as: .process).output == "12\n")
        #expect(try await run("run", "sums.YML", "--set", "least=4").output == "9\n")
        for words in [["list"], ["graph", "--format", "mermaid"]] {
            let yaml = try await Command.run(words + ["sums.yaml"], in: run.folder.url)
            let json5 = try await Command.run(words + ["sums.json5"], in: run.folder.url)
            #expect(yaml.status == 0 && !yaml.output.isEmpty)
            func plain(_ result: CommandResult) -> String {
                result.output.replacing("sums.yaml", with: "sums.json5")
            }
            #expect(plain(yaml) == plain(json5))
        }
    }

    @Test("standard input is YAML unless it begins like JSON5")
    func standardInput() async throws {
        for (text, place) in [(Self.sums, "-"), ("{ tasks: { a: { steps: [ { value: 12 } ] } } }", "-")] {
            let result = try await Command.run(["run", place], input: Data(text.utf8))
            #expect(result.output == "12\n", "\(result.errors)")
        }
        let result = try await Command.run(["check", "-"], input: Data("tasks:\n  a: b: c\n".utf8))
        #expect(result.status == 3)
        #expect(result.output.hasPrefix("stdin:2:7: error: unexpected colon (quote a text with ': '"))
    }

    @Test("files in both formats run each other, and a mistake is reported in its own file")
    func inclusions() async throws {
        let run = try FlowCommandRun(
            "{ tasks: { a: { flow: 'lib/b.yml', with: { n: 2 } } }, result: '${tasks.a}' }")
        try run.write(
            "parameters: {n: 1}\ntasks:\n  c: {flow: c.json5, with: {n: \"${n + 1}\"}}\nresult: ${tasks.c}",
            to: "lib/b.yml")
        try run.write(
            "{ parameters: { n: 1 }, tasks: { d: { steps: [ { value: '${n * 2}' } ] } }, result: '${tasks.d}' }",
            to: "lib/c.json5")
        let result = try await run("run", "flow.json5")
        #expect(result.output == "6\n", "\(result.errors)")
        try run.write("tasks:\n  c:\n    stepps: []", to: "lib/b.yml")
        let refused = try await run("check", "flow.json5")
        #expect(refused.status == 3)
        #expect(refused.output.contains("lib/b.yml:3:5: error: unknown key \"stepps\""), "\(refused.output)")
    }

    @Test("no is text: a key that is true or false refuses it, and says what to write")
    func noIsText() async throws {
        let run = try FlowCommandRun(
            "tasks:\n  a:\n    steps:\n      - load: http://h/\n        answer: no\n", named: "flow.yaml")
        let result = try await run("check", "flow.yaml")
        #expect(
            result.output
                == "flow.yaml:5:17: error: answer is true or false, not a string (write true or false)\n")
    }

    @Test("a durable run of a file in YAML is resumed, and a task of equal meaning keeps its version")
    func versions() async throws {
        let run = try FlowCommandRun(Self.sums, named: "sums.yaml")
        func plan() async throws -> CommandResult {
            try await run("run", "sums.yaml", "--store", "runs.db", "--key", "k", "--plan")
        }
        #expect(try await run("run", "sums.yaml", "--store", "runs.db", "--key", "k").output == "12\n")
        // Other layout and quotes, the same meaning.
        try run.write(
            "{tasks: {total: {steps: [transform: 'sum(it)'], after: \"numbers\"}, numbers: {steps: [\n"
                + "{value: [3, 0x4, 5]}, {filter: 'it >= least'}]}}, parameters: {least: 1}}", to: "sums.yaml"
        )
        let same = try await plan()
        #expect(same.status == 0 && !same.output.contains("changed"), "\(same.output)")
        try run.write(Self.sums.replacing("0x5", with: "6"), to: "sums.yaml")
        let other = try await plan()
        #expect(other.output.contains("its steps changed"), "\(other.output)")
    }

    @Test("without libyaml the message names the package")
    func absent() async throws {
        let run = try FlowCommandRun(Self.sums, named: "sums.yaml")
        let result = try await Command.run(
            ["check", "sums.yaml"], program: Command.executable(),
            environment: ["STEPLINE_LIBYAML": "/nowhere/libyaml.so"], in: run.folder.url)
        #expect(result.status == 3)
        #expect(
            result.output
                == "sums.yaml:1:1: error: YAML needs libyaml 0.2, which isn't found "
                + "(install it (Debian: libyaml-0-2), or write JSON5)\n")
    }
}
