import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

@Suite("Flows: notifications about a run", .timeLimit(.minutes(5)))
struct NotificationTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func run(_ tasks: String, _ words: String...) async throws -> CommandResult {
        let flow = try FlowCommandRun("{ name: 'nightly', tasks: { \(tasks) } }")
        return try await Command.run(["run", "flow.json5"] + words, in: flow.folder.url)
    }

    /// A task that posts how the run went.
    private func posts(_ runs: String, _ more: String = "") -> String {
        #"\#(runs): { runs: "\#(runs)", steps: [ { load: "\#(server.url("/hook"))", body: "${run}"\#(more) } ] },"#
    }

    @Test("a failure is posted with task, element, step, place and cause")
    func failures() async throws {
        server.route("/hook", .text("ok"))
        let result = try await run(
            """
            \(posts("onFailure"))
            good: { steps: [ { value: 1 } ] },
            bad: { retry: { retries: 1, base: "1ms", failures: "all" },
              steps: [ { value: 1 }, { name: "divide", transform: "it / 0" } ] },
            each: { map: ["x", "y"], steps: [ { transform: "it == 'y' ? 1 / 0 : 1" } ] },
            behind: { after: "bad", steps: [ { value: 1 } ] },
            poor: { steps: [ { load: "none" } ] },
            rich: { after: "poor", allowFailure: "poor", steps: [ { value: 1 } ] },
            """)
        #expect(result.status == 1, "\(result.errors)")
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1 && request.method == "POST")
        #expect(request["Content-Type"] == "application/json")
        let reporting = try JSON(parsing: request.body)
        #expect(reporting["name"] == "nightly" && reporting["result"] == "failed")
        #expect(
            reporting["tasks"]
                == ["total": 6, "succeeded": 2, "skipped": 0, "failed": 3, "cancelled": 0, "notRun": 1]
                as JSON)
        let failures = try #require(reporting["failures"]?.array)
        #expect(failures.compactMap { $0["task"]?.string } == ["bad", "each", "poor"])
        let bad = failures[0]
        #expect(bad["step"] == "divide" && bad["attempts"] == 2 && bad["allowed"] == false, "\(bad)")
        #expect(bad["place"]?.string?.hasPrefix("flow.json5:4:") == true, "\(bad)")
        #expect(bad["cause"] == "division by zero", "\(bad)")
        #expect(failures[1]["element"] == "each[y]" && failures[1]["step"] == "transform", "\(failures[1])")
        #expect(failures[2]["allowed"] == true, "\(failures[2])")
        let (began, ended) = (reporting["began"]?.string ?? "", reporting["ended"]?.string ?? "")
        #expect(
            began.hasSuffix("Z") && began <= ended && (reporting["seconds"]?.double ?? -1) >= 0,
            "\(reporting)")
    }

    @Test("always, after success alone, and after failure alone", arguments: [true, false])
    func when(succeeds: Bool) async throws {
        server.route("/hook", .text("ok"))
        let result = try await run(
            """
            \(posts("always", ", headers: { X: 'always' }"))
            \(posts("onFailure", ", headers: { X: 'onFailure' }"))
            \(posts("afterSuccess", ", headers: { X: 'afterSuccess' }"))
            work: { steps: [ { transform: "1 / \(succeeds ? 1 : 0)" } ] },
            """)
        #expect(result.status == (succeeds ? 0 : 1), "\(result.errors)")
        let reporting = Set(server.requests.compactMap { $0["X"] })
        #expect(reporting == (succeeds ? ["always", "afterSuccess"] : ["always", "onFailure"]))
        for request in server.requests {
            let summary = try JSON(parsing: request.body)
            #expect(summary["result"] == (succeeds ? "succeeded" : "failed"))
            #expect(summary["failures"]?.array?.count == (succeeds ? 0 : 1))
        }
    }

    @Test("a command gets it as well, and one that comes behind some tasks hears of these")
    func command() async throws {
        let flow = try FlowCommandRun(
            """
            { tasks: {
              a: { steps: [ { value: 1 } ] }, b: { steps: [ { transform: "1 / 0" } ] },
              tell: { runs: "always", after: "a",
                steps: [ { value: "${run.result}: ${run.tasks.total} of ${run.name}" }, { run: ["tee", "told"] } ] },
            } }
            """)
        let result = try await flow("run", "flow.json5", "--allow-run", "tee")
        #expect(result.status == 1, "\(result.errors)")
        #expect(try flow.folder.text("told") == "succeeded: 1 of flow")
        let alone = try await flow("run", "flow.json5", "tell", "--only", "--allow-run", "tee")
        #expect(alone.status == 0, "\(alone.errors)")
        #expect(try flow.folder.text("told") == "succeeded: 0 of flow")
    }

    @Test(
        "a notification that fails fails the run, within its time-out",
        arguments: ["500", "reset", "silence", "refused"])
    func unheard(fault: String) async throws {
        switch fault {
        case "500": server.route("/hook", .status(500))
        case "reset": server.route("/hook", .text("x").fault(.reset(after: 0)))
        case "silence": server.route("/hook", .text("x").fault(.silence))
        default: server.stop()
        }
        let result = try await run(
            posts("always", ", timeout: '700ms'") + "work: { steps: [ { value: 1 } ] },")
        #expect(result.status == 1)
        #expect(
            result.complaints.count == 1 && result.errors.contains("always failed: load"), "\(result.errors)")
    }

    @Test("notifications have no secrets, and their URL may be one")
    func secrets() async throws {
        server.route("/hook/sesame", .text("ok"))
        let flow = try FlowCommandRun(
            """
            { secrets: { key: { env: "HOOK_KEY" } }, tasks: {
              work: { steps: [ { value: "${secrets.key}" }, { load: "none/${it}" } ] },
              tell: { runs: "onFailure",
                steps: [ { load: "\(server.url("/hook"))/${secrets.key}", body: "${run}" } ] },
            } }
            """)
        let result = try await Command.run(
            ["run", "flow.json5", "--allow-env", "HOOK_KEY"], environment: ["HOOK_KEY": "sesame"],
            in: flow.folder.url)
        #expect(result.status == 1)
        let body = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
        #expect(body.contains("[secret key]") && !body.contains("sesame"), "\(body)")
    }
}
