import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

/// The log on stderr by `--log-format`.
@Suite("The log of a run", .timeLimit(.minutes(5)))
struct LogTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/list", .text("[1]", type: "application/json"))
        server.route("/flaky", inTurn: [.status(503), .text("x")])
        server.route("/bad", .status(404))
    }

    private func log(_ paths: [String], _ options: [String] = []) async throws -> (CommandResult, [JSON]) {
        let words = ["fetch"] + paths.map { server.url($0).absoluteString }
        let result = try await Command.run(
            words + ["--log-format", "json", "--retry-wait", "1ms"] + options)
        return (result, try result.complaints.map { try JSON(parsing: $0) })
    }

    @Test("json: each line is an object with time and event, a task's in their order, the summary last")
    func json() async throws {
        let (result, events) = try await log(["/list", "/flaky"], ["-j", "1"])
        #expect(result.status == 0)
        #expect(events.allSatisfy { $0.time?.string?.count == 24 && $0.event?.string != nil })
        let address = server.url("/flaky").absoluteString
        let own = events.filter { $0.task?.string == address }
        try #require(
            own.compactMap { $0.event?.string } == [
                "started", "stepStarted", "retrying", "stepStarted", "stepEnded", "finished",
            ])
        #expect(own.compactMap { $0.step?.string } == ["load", "load", "load", "load"])
        #expect(own[2].error?.string?.contains("503") == true && own[2].attempt?.int == 1)
        #expect(own[3].attempt?.int == 2)
        let last = try #require(events.last)
        #expect(last.event?.string == "summary" && last.tasks?.int == 2 && last.finished?.int == 2)
        #expect(last.bytes?.int == 4 && last.failed?.int == 0)
        #expect(events.contains { $0.event?.string == "starting" })
        #expect(events.contains { $0.event?.string == "settled" && $0.outcome?.string == "finished" })
    }

    @Test("json: a failure is an event with its error, and no line is anything but JSON")
    func failure() async throws {
        let (result, events) = try await log(["/bad"])
        #expect(result.status == 1)
        let failed = try #require(events.first { $0.event?.string == "failed" })
        #expect(failed.error?.string == "GET \(server.url("/bad").absoluteString): status 404")
        let (quiet, rest) = try await log(["/bad"], ["--quiet"])
        #expect(quiet.status == 1 && rest.compactMap { $0.event?.string } == ["failed"])
    }

    @Test("text: a line for each event; --quiet leaves the failures alone")
    func text() async throws {
        let address = server.url("/bad").absoluteString
        let result = try await Command.run(["fetch", address, "--log-format=text"])
        let lines = result.complaints
        #expect(lines.contains { $0.hasSuffix(" \(address) started") })
        #expect(lines.contains { $0.contains("stepEnded step=\"load\" outcome=\"failed\" error=") })
        #expect(lines.last?.contains(" run summary tasks=1 finished=0 failed=1") == true)
        let quiet = try await Command.run(["fetch", address, "--log-format=text", "-q"])
        #expect(quiet.complaints == ["stepline: GET \(address): status 404"])
    }

    @Test(
        "json: nothing of a step is told after its task's end, whatever ended it",
        arguments: ["deadline: '300ms',", "defaults: {timeout: '300ms'},", "defaults: {deadline: '300ms'},"])
    func stepsAfterEnd(limit: String) async throws {
        let gate = Gate()
        server.route("/held", .pattern(count: 10_000).fault(.hold(after: 10, gate)))
        let flow = try FlowCommandRun(
            """
            {\(limit) tasks: {
                load: {steps: [{load: '\(server.url("/held"))'}]},
                run: {steps: [{run: ['sh', '-c', 'sleep 60']}]},
                map: {map: [1, 2], steps: [{load: '\(server.url("/held"))?${item}'}]},
            }}
            """)
        let result = try await flow("run", "flow.json5", "--log-format", "json", "--allow-run", "sh")
        gate.open()
        var ended: Set<String> = []
        for event in try result.complaints.map({ try JSON(parsing: $0) }) {
            guard let task = event.task?.string, let kind = event.event?.string else { continue }
            if ["failed", "cancelled", "finished"].contains(kind) { ended.insert(task) }
            if kind.hasPrefix("step") { #expect(!ended.contains(task), "\(event)") }
        }
        #expect(result.status == 1 && ended.isSuperset(of: ["load", "run"]))
    }

    @Test("json: that nothing can be run is an event, too")
    func noFlow() async throws {
        let flow = try FlowCommandRun()
        let wrong: [([String], Int32)] = [
            (["none.json5"], 1), (["flow.json5", "--set", "none=1"], 2), (["flow.json5", "--bogus"], 2),
            (["flow.json5", "--jobs", "0"], 2),
        ]
        for (words, status) in wrong {
            let result = try await Command.run(
                ["run", "--log-format", "json"] + words, in: flow.folder.url)
            #expect(result.status == status || result.status == 3)
            for line in result.complaints { #expect(throws: Never.self) { try JSON(parsing: line) } }
            #expect(!result.complaints.isEmpty)
        }
    }
}
