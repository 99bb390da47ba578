import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Tasks that run last in a flow", .timeLimit(.minutes(5)))
struct LastTaskTests {
    /// A step that tells that its task was run, and what it was given.
    private static func tells(_ name: String, _ value: String = "1") -> String {
        #"{ value: \#(value) }, { run: ["sh", "-c", "echo \#(name) $(cat) >> ran"] }"#
    }

    private func run(_ tasks: String, _ words: String...) async throws -> (CommandResult, ran: [String]) {
        let flow = try FlowCommandRun("{ concurrency: 1, tasks: { \(tasks) } }")
        let result = try await Command.run(
            ["run", "flow.json5", "--allow-run", "sh"] + words, in: flow.folder.url)
        let ran = (try? flow.folder.text("ran")) ?? ""
        return (result, ran.split(separator: "\n").map(String.init))
    }

    private static let both = """
        tidy: { runs: "always", steps: [ \(tells("tidy")) ] },
        tell: { runs: "onFailure", steps: [ \(tells("tell")) ] },
        """

    @Test("always runs after success and failure, onFailure after failure alone")
    func afterAll() async throws {
        let good = try await run("\(Self.both) work: { steps: [ \(Self.tells("work")) ] }")
        #expect(good.0.status == 0 && good.0.complaints.isEmpty, "\(good.0.errors)")
        #expect(good.ran == ["work 1", "tidy 1"])

        let bad = try await run(
            """
            \(Self.both) work: { steps: [ \(Self.tells("work")), { transform: "1 / 0" } ] },
            behind: { after: "work", steps: [ \(Self.tells("behind")) ] }
            """)
        #expect(bad.0.status == 1 && bad.0.complaints.count == 1, "\(bad.0.errors)")
        #expect(bad.ran.first == "work 1" && Set(bad.ran.dropFirst()) == ["tidy 1", "tell 1"])
    }

    @Test("a last task runs after the tasks that it names and their prerequisites, with the existing results")
    func named() async throws {
        let (result, ran) = try await run(
            """
            make: { steps: [ { value: { size: 7 } } ] },
            break: { after: "make", steps: [ { transform: "1 / 0" } ] },
            other: { steps: [ { transform: "1 / 0" } ] },
            tidy: { runs: "always", after: ["make", "break"],
              steps: [ \(Self.tells("tidy", #""${tasks.make.size} ${tasks.break ?? 'none'}""#)) ] },
            tell: { runs: "onFailure", after: "make", steps: [ \(Self.tells("tell")) ] },
            """)
        #expect(result.status == 1, "\(result.errors)")
        #expect(ran == [#"tidy 7 none"#], "tasks after make don't see failures of other tasks")
    }

    @Test("a last task after a task that never runs is run if an earlier one has begun")
    func blocked() async throws {
        let (result, ran) = try await run(
            """
            unpack: { steps: [ { transform: "1 / 0" } ] },
            convert: { after: "unpack", steps: [ { value: 1 } ] },
            tidy: { runs: "always", after: "convert", steps: [ \(Self.tells("tidy")) ] },
            tell: { runs: "onFailure", after: "convert", steps: [ \(Self.tells("tell")) ] },
            """)
        #expect(result.status == 1)
        #expect(Set(ran) == ["tidy 1", "tell 1"])
    }

    @Test("a failure that all dependents allow doesn't count; a last task's own failure fails the run")
    func allowed() async throws {
        let lived = try await run(
            """
            \(Self.both) poor: { steps: [ { transform: "1 / 0" } ] },
            rich: { after: "poor", allowFailure: "poor", steps: [ { value: 1 } ] }
            """)
        #expect(lived.0.status == 0, "\(lived.0.errors)")
        #expect(lived.ran == ["tidy 1"])

        let own = try await run(
            #"work: { steps: [ { value: 1 } ] }, tidy: { runs: "always", steps: [ { transform: "1 / 0" } ] }"#
        )
        #expect(own.0.status == 1 && own.0.errors.contains("tidy"), "\(own.0.errors)")
    }

    @Test("last tasks also run after Ctrl-C")
    func interrupted() async throws {
        let server = try LoopbackServer()
        server.route("/slow", .text("x").fault(.silence))
        let flow = try FlowCommandRun(
            """
            { parameters: { s: "" }, tasks: {
              \(Self.both) load: { steps: [ { load: "${s}/slow" } ] },
            } }
            """)
        let terminal = try Terminal([
            "run", flow.folder.url.appending(path: "flow.json5").path, "--allow-run", "sh",
            "--set", "s=http://127.0.0.1:\(server.port)",
        ])
        await server.waitForRequests()
        terminal.type("\u{3}")
        #expect(await terminal.exitCode() == 130)
        #expect(Set(try flow.folder.text("ran").split(separator: "\n")) == ["tidy 1", "tell 1"])
    }

    @Test("a last task runs with the tasks that are run, and with its own if it is selected")
    func selected() async throws {
        let tasks = """
            a: { writes: "made", steps: [ \(Self.tells("a")), { save: "made" } ] },
            b: { steps: [ \(Self.tells("b")) ] },
            afterA: { runs: "always", after: "a", steps: [ \(Self.tells("afterA")) ] },
            all: { runs: "always", steps: [ \(Self.tells("all")) ] },
            """
        for (words, expected) in [
            (["a"], ["a", "afterA", "all"]), (["b"], ["all", "b"]), (["a", "--only"], ["a"]),
            (["all", "--only"], ["all"]), (["afterA"], ["a", "afterA", "all"]),
            (["--from", "b"], ["all", "b"]), ([], ["a", "afterA", "all", "b"]),
        ] {
            let flow = try FlowCommandRun("{ concurrency: 1, tasks: { \(tasks) } }")
            let result = try await Command.run(
                ["run", "flow.json5", "--allow-run", "sh"] + words, in: flow.folder.url)
            #expect(result.status == 0 && result.complaints.isEmpty, "\(words): \(result.errors)")
            let ran = ((try? flow.folder.text("ran")) ?? "").split(separator: "\n").map { $0.dropLast(2) }
            #expect(ran.map(String.init).sorted() == expected, "\(words)")
        }
    }

    @Test("no last task runs if all tasks are up to date")
    func upToDate() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              a: { writes: "made", steps: [ { value: 1 }, { save: "made" } ] },
              tidy: { runs: "always", steps: [ \(Self.tells("tidy")) ] },
            } }
            """)
        for _ in 0..<2 {
            let result = try await flow("run", "flow.json5", "--allow-run", "sh")
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(try flow.folder.text("ran") == "tidy 1\n")
    }

    @Test("stored runs run last tasks, too")
    func reporting() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: { \(Self.both) work: { steps: [ { transform: "1 / 0" } ] },
              good: { runs: "afterSuccess", steps: [ { value: "${run}" } ] } } }
            """)
        let kept = try await flow("run", "flow.json5", "--allow-run", "sh", "--store", "runs.db")
        #expect(kept.status == 1, "\(kept.errors)")
        #expect(Set(try flow.folder.text("ran").split(separator: "\n")) == ["tidy 1", "tell 1"])
    }
}
