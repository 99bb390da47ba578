import Foundation
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Workflow files: what programs are given", .timeLimit(.minutes(5)))
struct ProgramSafetyTests {
    @Test("a program inherits a small part of the environment, and what --allow-env names")
    func inherited() async throws {
        let flow = try FlowCommandRun(#"{ tasks: { a: { steps: [ { run: ["env"] }, { save: "env" } ] } } }"#)
        let environment = ["API_TOKEN": "hush", "BASH_ENV": "x.sh", "LC_ALL": "C", "ALLOWED": "1"]
        let result = try await Command.run(
            ["run", "flow.json5", "--allow-run", "env", "--allow-env", "ALLOWED"], environment: environment,
            in: flow.folder.url)
        #expect(result.status == 0, "\(result.errors)")
        let names = try flow.folder.text("env").split(separator: "\n").compactMap {
            $0.split(separator: "=").first
        }
        for name in ["PATH", "LC_ALL", "ALLOWED"] { #expect(names.contains(Substring(name))) }
        for name in ["API_TOKEN", "BASH_ENV"] { #expect(!names.contains(Substring(name))) }
    }

    @Test(
        "a variable that a file sets for a program has to be allowed by name",
        arguments: ["BASH_ENV", "PATH"])
    func set(name: String) async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: { a: { steps: [ { value: "touch found" }, { save: "x.sh" },
              { run: ["bash", "-c", "true"], env: { \(name): "x.sh", LC_ALL: "C", TZ: "UTC" } } ] } } }
            """)
        let words = ["run", "flow.json5", "--allow-run", "bash"]
        let refused = try await Command.run(words, in: flow.folder.url)
        #expect(refused.status == 3)
        #expect(
            refused.errors.contains(
                "the file wants to set \(name) for bash (--allow-env \(name) would allow it)"),
            "\(refused.errors)")
        #expect(try flow.folder.names() == ["flow.json5"])
        let allowed = try await Command.run(words + ["--allow-env", name], in: flow.folder.url)
        #expect(!allowed.errors.contains("wants to set"), "\(allowed.errors)")
    }

    @Test("a foreign value that begins with - is no option of a program, and check warns of it")
    func options() async throws {
        func run(_ words: String, _ list: String) async throws -> (CommandResult, FlowCommandRun) {
            let flow = try FlowCommandRun(
                """
                { parameters: { own: "-n" }, tasks: {
                  used: { steps: [ { value: "${own}" } ] }, list: { steps: [ { load: "list.json" }, { parse: "json" } ] },
                  each: { after: "list", map: "${tasks.list}", steps: [ { run: [\(words)] }, { save: "result" } ] },
                } }
                """)
            try flow.write(list, to: "list.json")
            return (try await flow("run", "flow.json5", "--allow-run", "sort", "--allow-run", "printf"), flow)
        }
        let warning = "sort may take the value for an option, where it begins with -"
        let (refused, flow) = try await run(#""sort", "${item}""#, #"["-oout.txt"]"#)
        #expect(refused.status == 1)
        #expect(refused.errors.contains(#"sort would take "-oout.txt" for an option"#), "\(refused.errors)")
        #expect(refused.errors.contains(warning), "\(refused.errors)")
        #expect(try flow.folder.names() == ["flow.json5", "list.json"])
        for words in [#""printf", "%s", "--", "${item}""#, #""printf", "%s", "x${item}""#] {
            let (after, _) = try await run(words, #"["-oout.txt"]"#)
            #expect(after.status == 0 && after.complaints.isEmpty, "\(words): \(after.errors)")
        }
        let (number, _) = try await run(#""printf", "%s", "${item}""#, "[-33.9]")
        #expect(number.status == 0, "\(number.errors)")
        // A parameter is the user's own, but no option either unless the file says so.
        let (own, _) = try await run(#""sort", "${own}""#, "[1]")
        #expect(
            own.status == 1 && own.errors.contains(#"sort would take "-n" for an option"#), "\(own.errors)")
        for word in ["own", "item"] {
            let (said, _) = try await run(
                #""sort", "${\#(word)}"], options: true }, { run: ["sort""#, #"["-n"]"#)
            #expect(said.status == 0 && said.complaints.isEmpty, "\(word): \(said.errors)")
        }
    }
}
