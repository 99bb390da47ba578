import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

/// The options that every subcommand has which reads a workflow file, and how `run` tells what it does.
@Suite("Options of workflow files", .timeLimit(.minutes(5)))
struct FlowOptionTests {
    /// The arguments of each subcommand, and a part of its output on success.
    private static let subcommands = [
        (["check", "in/flow.json5"], "no mistakes"), (["graph", "in/flow.json5"], "digraph"),
    ]

    private func run(_ words: [String], in folder: TemporaryFolder) async throws -> CommandResult {
        try await Command.run(words, in: folder.url)
    }

    @Test("--set gives parameters values that exist and fit, and --set of anything else is exit code 2")
    func set() async throws {
        let flow = try FlowCommandRun(
            """
            { parameters: { host: "a.example", count: 1 }, tasks: {
              get: { steps: [ { load: "https://${host}/${count}" } ] } } }
            """, named: "in/flow.json5")
        for (words, output) in Self.subcommands {
            let good = try await run(words + ["--set", "host=b.example", "-scount=2"], in: flow.folder)
            #expect(good.status == 0 && good.errors.isEmpty && good.output.contains(output), "\(good.errors)")
            for (option, line) in [
                ("--set=hots=b", "no parameter 'hots'; did you mean host?"),
                ("--set=count=x", "expects integer, got 'x'"),
                ("--set=host", "--set expects NAME=VALUE, got 'host'"),
            ] {
                let bad = try await run(words + [option], in: flow.folder)
                #expect(bad.status == 2 && bad.output.isEmpty && bad.complaints.count == 1)
                #expect(bad.errors.contains(line), "\(bad.errors)")
            }
        }
    }

    @Test("--allow-path allows a folder to the file, also in check and graph")
    func allowPath() async throws {
        let flow = try FlowCommandRun(
            "{ tasks: { get: { steps: [ { value: 7 }, { save: '../out/x' } ] } } }", named: "in/flow.json5")
        for (words, output) in Self.subcommands {
            let refused = try await run(words, in: flow.folder)
            let reporting = words[0] == "check" ? refused.output : refused.errors
            #expect(refused.status == 3 && reporting.contains("is outside the workflow's folder"))
            #expect(words[0] == "check" ? refused.errors.isEmpty : refused.output.isEmpty)
            let allowed = try await run(words + ["--allow-path", "out"], in: flow.folder)
            #expect(allowed.status == 0 && allowed.errors.isEmpty && allowed.output.contains(output))
            #expect(try flow.folder.names() == ["in"])
        }
    }

    @Test("with --offline a load from the network is a mistake; data: URLs and files aren't")
    func offline() async throws {
        let flow = try FlowCommandRun(
            """
            { parameters: { x: "1" }, tasks: {
              get: { steps: [ { load: "http://h.example/" } ] },
              b: { steps: [ { load: "https://h.example/${x}" } ] },
              c: { steps: [ { load: "data:,1" } ] },
              d: { steps: [ { load: "file.txt" } ] },
              e: { steps: [ { load: "${x}" } ] },
            } }
            """, named: "in/flow.json5")
        try flow.write("x", to: "in/file.txt")
        let message = "error: the network is out of reach with --offline"
        let expected = ["2:28", "3:26"].map { "in/flow.json5:\($0): \(message)\n" }.joined()
        for (words, output) in Self.subcommands {
            let connected = try await run(words, in: flow.folder)
            #expect(connected.status == 0 && connected.output.contains(output))
            let offline = try await run(words + ["--offline"], in: flow.folder)
            let reporting = words[0] == "check" ? offline.output : offline.errors
            #expect(offline.status == 3 && reporting == expected, "\(reporting)")
        }
    }
}
