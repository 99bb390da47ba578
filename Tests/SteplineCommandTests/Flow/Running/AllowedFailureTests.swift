import Foundation
import SteplineJSON
import TestSupport
import Testing

/// Allowed failures are marked as such wherever failures are shown.
@Suite("Workflow files: failures that are allowed", .timeLimit(.minutes(5)))
struct AllowedFailureTests {
    private let run: FlowCommandRun

    init() throws {
        run = try FlowCommandRun(
            """
            {tasks: {
                may: {steps: [{value: 1}, {transform: "it.name"}]},
                list: {map: "${first([])}", steps: [{value: 1}]},
                after: {after: ["may", "list"], allowFailure: ["may", "list"], steps: [{value: 1}]},
            }}
            """)
    }

    @Test("the line of an allowed failure is marked, and omitted by --quiet; lines of other failures stay")
    func lines() async throws {
        let result = try await run("run", "flow.json5")
        #expect(result.status == 0 && result.complaints.count == 2)
        #expect(result.complaints.allSatisfy { $0.contains(" failed (allowed): ") })
        let quiet = try await run("run", "flow.json5", "--quiet")
        #expect(quiet.status == 0 && quiet.complaints.isEmpty)
        let log = try await run("run", "flow.json5", "--quiet", "--log-format", "json")
        #expect(log.status == 0 && log.complaints.isEmpty)
        let other = try FlowCommandRun(
            "{tasks: {bad: {steps: [{value: 1}, {transform: 'it.name'}]}}}")
        let failed = try await other("run", "flow.json5", "--quiet")
        #expect(failed.status == 1 && failed.complaints.count == 1)
        #expect(failed.errors.contains("bad failed: "))
    }

    @Test("JSON has allowed: true in the failure's event, and their number in the summary; so in a kept run")
    func json() async throws {
        for more in [[], ["--store", "runs.db"]] {
            let result = try await Command.run(
                ["run", "flow.json5", "--log-format", "json"] + more, in: run.folder.url)
            let events = try result.complaints.map { try JSON(parsing: $0) }
            let failed = events.filter { $0.event?.string == "failed" }
            #expect(result.status == 0 && failed.count == 2)
            #expect(failed.allSatisfy { $0.allowed?.bool == true })
            let summary = try #require(events.last { $0.event?.string == "summary" })
            #expect(summary.failed?.int == 2 && summary.allowed?.int == 2)
        }
    }

    @Test("the summary on a terminal counts allowed failures")
    func terminal() async throws {
        let terminal = try Terminal(["run", run.folder.url.appending(path: "flow.json5").path])
        #expect(await terminal.waits(for: "2 failed (allowed)"))
        #expect(await terminal.exitCode() == 0)
    }
}
