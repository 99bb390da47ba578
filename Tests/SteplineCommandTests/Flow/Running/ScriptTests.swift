import Foundation
import SteplineJSON
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("stepline run: scripts", .timeLimit(.minutes(5)))
struct ScriptTests {
    private func run(
        _ flow: FlowCommandRun, _ more: [String] = [], environment: [String: String] = [:]
    ) async throws -> CommandResult {
        try await Command.run(
            ["run", "flow.json5"] + more, environment: environment, in: flow.folder.url)
    }

    /// A flow of one task with one step.
    private func flow(_ step: String, _ keys: String = "") throws -> FlowCommandRun {
        try FlowCommandRun("{ \(keys) tasks: { a: { steps: [ { value: 'in\\nput' }, \(step) ] } } }")
    }

    private func findings(_ step: String, _ keys: String = "") -> [String] {
        FlowSource(name: "f", text: "{ \(keys) tasks: { a: { steps: [ \(step) ] } } }").findings()
    }

    @Test(
        "a script runs its lines, with the value on stdin and variables as they are",
        arguments: [
            (
                #"{ run: { shell: "sh", script: ["read line", "echo \"$line-$X\""] }, env: { X: "a b" } }"#,
                "in-a b\n"
            ),
            (#"{ run: { shell: "sh", script: "printf %s \"$${X%.*}\"" }, env: { X: "a.b" } }"#, "a"),
            (#"{ run: { shell: "sh", script: "-x; echo unreachable" } }"#, ""),
            (#"{ run: { shell: "sh", script: ["echo $#"] } }"#, "0\n"),
        ])
    func output(step: String, output: String) async throws {
        let result = try await run(flow(step), ["--allow-run", "sh"])
        if output.isEmpty {
            #expect(result.status == 1 && result.errors.contains("-x"), "\(result.errors)")
        } else {
            #expect(result.status == 0 && result.output == output, "\(result.errors)")
        }
    }

    @Test("a hostile value in a variable is data to the script")
    func hostile() async throws {
        let flow = try FlowCommandRun(
            #"""
            { parameters: { x: "" }, tasks: { a: { steps: [
              { run: { shell: "bash", script: ["printf '%s' \"$X\""] }, env: { X: "${x}" } } ] } } }
            """#)
        let hostile = "'; touch made; \"$(touch made)\" `touch made` \\ ${HOME}\n-rf"
        let result = try await run(flow, ["--allow-run", "bash", "--set", "x=\(hostile)"])
        #expect(result.status == 0 && result.output == hostile, "\(result.errors)")
        #expect(try flow.folder.names() == ["flow.json5"])
    }

    @Test("a script ends at the first command that fails, in a pipe too", arguments: FlowShell.allCases)
    func failing(_ shell: FlowShell) async throws {
        guard
            FileManager.default.isExecutableFile(atPath: "/bin/\(shell.rawValue)")
                || FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell.rawValue)")
        else { return }
        let words = ["--allow-run", shell.rawValue]
        let first = try flow(#"{ run: { shell: "\#(shell.rawValue)", script: ["false", "touch made"] } }"#)
        #expect(try await run(first, words).status == 1)
        #expect(try first.folder.names() == ["flow.json5"])
        guard shell != .sh else { return }
        let pipe = try flow(
            #"{ run: { shell: "\#(shell.rawValue)", script: ["false | cat", "touch made"] } }"#)
        #expect(try await run(pipe, words).status == 1)
        #expect(try pipe.folder.names() == ["flow.json5"])
    }

    @Test("a script needs the permission for its shell, and none for its variables")
    func permission() async throws {
        let flow = try flow(
            #"{ run: { shell: "sh", script: "echo $X" }, env: { X: "1" } }"#, #"env: { Y: "2" },"#)
        let refused = try await run(flow)
        #expect(refused.status == 3 && refused.errors.contains("--allow-run sh would allow it"))
        #expect(!refused.errors.contains("--allow-env"), "\(refused.errors)")
        #expect(try await run(flow, ["--allow-run", "sh"]).output == "1\n")
    }

    @Test("a program and a script run in the folder of in, which must be there and inside the flow's")
    func folder() async throws {
        let flow = try FlowCommandRun(
            #"""
            { parameters: { place: "sub" }, tasks: { a: { steps: [
              { run: ["cat", "x.txt"], in: "${place}" }, { run: { shell: "sh", script: "cat; cat x.txt" }, in: "sub" },
            ] } } }
            """#)
        try flow.write("X", to: "sub/x.txt")
        let words = ["--allow-run", "cat", "--allow-run", "sh"]
        #expect(try await run(flow, words).output == "XX")
        let gone = try await run(flow, words + ["--set", "place=none"])
        #expect(
            gone.status == 1 && gone.errors.contains("there is no folder none to run cat in"),
            "\(gone.errors)")
        let file = try await run(flow, words + ["--set", "place=flow.json5"])
        #expect(file.status == 1 && file.errors.contains("there is no folder flow.json5"), "\(file.errors)")
        try flow.write(#"{ tasks: { a: { steps: [ { run: ["pwd"], in: "../" } ] } } }"#, to: "flow.json5")
        let outside = try await run(flow, ["--allow-run", "pwd"])
        #expect(
            outside.status == 3 && outside.errors.contains("outside the workflow's folder"),
            "\(outside.errors)")
    }

    @Test(
        "the file's env reaches all programs, a step's own overrides it, and each variable needs its permission once"
    )
    func environment() async throws {
        let flow = try FlowCommandRun(
            #"""
            { parameters: { p: "par" }, secrets: { s: { env: "TOKEN" } },
              env: { A: "${p}-${secrets.s}", B: "b" }, tasks: {
              one: { steps: [ { run: ["sh", "-c", "echo $A $B"] } ] },
              two: { steps: [ { run: ["sh", "-c", "echo $A $B"], env: { B: "own" } } ] },
            }, result: ["${tasks.one}", "${tasks.two}"] }
            """#)
        let refused = try await run(flow, ["--allow-run", "sh", "--allow-env", "TOKEN"])
        #expect(refused.status == 3, "\(refused.errors)")
        let asked = refused.errors.components(separatedBy: "--allow-env A would allow it").count - 1
        #expect(asked == 1, "\(refused.errors)")
        let words = ["TOKEN", "A", "B"].flatMap { ["--allow-env", $0] }
        let result = try await run(
            flow, ["--allow-run", "sh"] + words, environment: ["TOKEN": "geheim1234"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.output == #"["par-[secret s] b\n","par-[secret s] own\n"]"# + "\n", "\(result.output)")
    }

    @Test(
        "mistakes of scripts are found before the run",
        arguments: [
            (#"{ run: "make" }"#, #"or run: { shell: "bash", script: "…" }"#),
            (#"{ run: ["make"], shell: "bash" }"#, #"write run: { shell: "bash", script: "…" }"#),
            (#"{ run: ["make"], cwd: "src" }"#, #"write in: "folder""#),
            (#"{ run: { script: "make" } }"#, #"run has no "shell""#),
            (#"{ run: { shell: "bash" } }"#, #"run has no "script""#),
            (#"{ run: { shell: "basj", script: "x" } }"#, #"did you mean "bash"?"#),
            (#"{ run: { shell: "sh", script: "rm ${it}" } }"#, "a script takes no values by ${…}"),
            (
                #"{ run: { shell: "bash", script: "cat\nprintf '%s' \"${X}\"" }, env: { X: "$(date) `id`" } }"#,
                "a script takes no values by ${…}"
            ),
            (
                #"{ run: { shell: "sh", script: ["ok", "x ${1 +"] } }"#,
                #"write env: { NAME: "${…}" } beside run"#
            ),
            (#"{ run: { shell: "sh", script: " " } }"#, "the script is empty"),
            (#"{ run: { shell: "sh", script: [] } }"#, "the script is empty"),
            (#"{ run: { shell: "sh", script: 3 } }"#, "a line of the script is a string"),
            (#"{ run: { shell: "sh", script: "x", args: [] } }"#, #"unknown key "args""#),
            (
                #"{ run: { shell: "sh", script: "x" }, options: true }"#,
                #""options" has no meaning for a script"#
            ),
            (
                #"{ run: { shell: "sh", script: "x" }, env: { LD_PRELOAD: "x" } }"#,
                "a file can't set LD_PRELOAD"
            ),
            (#"{ run: ["true"], in: "" }"#, "in is empty"),
            (#"{ run: ["echo"] }, { run: ["true"], in: "${it}" }"#, "a path can't begin with"),
        ])
    func mistakes(step: String, message: String) async throws {
        let flow = try flow(step)
        let result = try await flow("check", "flow.json5")
        #expect(result.status == 3 && result.output.contains(message), "\(result.output)")
    }

    @Test("a script that is longer than one argument, and a file's env with a result, are refused")
    func refused() {
        let long = String(repeating: "x", count: FlowScript.longest + 1)
        #expect(
            findings(#"{ run: { shell: "sh", script: "\#(long)" } }"#).first?.contains("at most 100000 bytes")
                == true)
        let found = findings(#"{ run: ["true"] }"#, #"env: { A: "${tasks.a}", B: "${it}" },"#)
        #expect(
            found.count == 2 && found.allSatisfy { $0.contains("only parameters and secrets") }, "\(found)")
    }

    @Test("a changed variable of the file runs the programs of a stored run again")
    func meaning() async throws {
        let text = #"""
            { env: { TZ: "UTC" }, tasks: {
              a: { steps: [ { run: ["sh", "-c", "echo $TZ"] } ] }, b: { steps: [ { value: 1 } ] } } }
            """#
        let flow = try FlowCommandRun(text)
        let words = ["--store", "runs.db", "--key", "k", "--allow-run", "sh"]
        #expect(try await run(flow, words).status == 0)
        try flow.write(text.replacing("UTC", with: "Europe/Oslo"), to: "flow.json5")
        let plan = try await run(flow, words + ["--plan"])
        #expect(plan.output.contains("its settings of the file changed"), "\(plan.output)")
        #expect(plan.output.contains("1 kept, 1 to run"), "\(plan.output)")
    }

    @Test("a recorded script is replayed without its shell")
    func recorded() async throws {
        let flow = try flow(
            #"{ run: { shell: "sh", script: "echo $X; echo ran >> ran.txt" }, env: { X: "1" } }"#)
        let recording = try await run(flow, ["--allow-run", "sh", "--record", "flow.tests/a"])
        #expect(recording.status == 0, "\(recording.errors)")
        let ran = try flow.folder.text("ran.txt")
        #expect(try await flow("test", "flow.json5", "--update").status == 0)
        let test = try await flow("test", "flow.json5")
        #expect(test.status == 0, "\(test.output)\(test.errors)")
        #expect(try flow.folder.text("ran.txt") == ran)
    }
}
