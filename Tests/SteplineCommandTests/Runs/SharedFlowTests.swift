import Foundation
import SteplineJSON
import SteplineRuns
import SteplineTesting
import TestServers
import TestSupport
import Testing

/// A run of a flow that processes of the command share.
@Suite(.timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct SharedFlowTests {
    @Test(
        "DR-41, DR-48, DR-60: two stepline work processes share a flow's run, which ends as on one machine"
    )
    func twoWorkers() async throws {
        // Each has one slot: so both have a page at the same time.
        let shared = try await SharedFlow(openingAt: 2)
        let workers = try [shared.work(), shared.work()]
        let ran = try await shared.run("--log-format", "json").result()
        #expect(ran.status == 0, "\(ran.errors)")
        let reporting = try ran.complaints.map { try JSON(parsing: $0) }
        let skipped = try #require(reporting.first { $0["event"]?.string == "skipped" })
        #expect(skipped["task"]?.string == "loud" && skipped["reason"]?.string == "when: loud")
        #expect(reporting.last?["skipped"]?.int == 1 && reporting.last?["finished"]?.int == 7)
        var (taken, warnings): ([String], [String]) = ([], [])
        for worker in workers {
            worker.signal(SIGTERM)
            let result = await worker.result()
            #expect(result.status == 0, "\(result.errors)")
            warnings += result.complaints
            let events = try result.lines.compactMap { $0["event"]?.string }
            #expect(events.first == "joined" && events.last == "left")
            taken += try result.steps("began")
        }
        #expect(
            warnings.count == 1 && warnings[0].hasPrefix("stepline: warning: flow/k: most[?] is left out")
        )
        let steps = try shared.steps()
        #expect(taken.sorted() == steps.keys.filter { $0 != "page" && $0 != "walk" }.sorted())
        #expect(Set(steps.values.compactMap(\.worker)).count == 2)
        try await shared.expectTheSame()
    }

    @Test(
        "DR-42: the steps of a killed worker of a flow run on another, with the same results")
    func killed() async throws {
        let shared = try await SharedFlow()
        let first = try shared.work()
        let run = try shared.run()
        await shared.asked.waitForCount(1)
        let second = try shared.work()
        await shared.asked.waitForCount(2)
        first.signal(SIGKILL)
        #expect(await first.result().wasSignalled)
        shared.gate.open()
        let ran = await run.result()
        #expect(ran.status == 0, "\(ran.errors)")
        second.signal(SIGTERM)
        #expect(await second.result().status == 0)
        #expect(try shared.steps().values.map(\.interruptions).max() == 1)
        try await shared.expectTheSame()
    }

    @Test(
        "DR-60: a worker of a flow that gets SIGTERM hands its step back within the grace, and ends with 0"
    )
    func asked() async throws {
        let shared = try await SharedFlow()
        let first = try shared.work("--grace", "100ms")
        let run = try shared.run()
        await shared.asked.waitForCount(1)
        first.signal(SIGTERM)
        let left = await first.result()
        #expect(left.status == 0 && !left.wasSignalled, "\(left.errors)")
        #expect(try left.lines.last?["event"]?.string == "left")
        let held = Set(try left.steps("began")).subtracting(try left.steps("ended"))
        #expect(!held.isEmpty)
        shared.gate.open()
        let second = try shared.work("--idle", "2s")
        #expect(await run.result().status == 0)
        #expect(try held.isSubset(of: await second.result().steps("ended")))
        #expect(try shared.steps().values.allSatisfy { $0.interruptions == 0 && $0.failures == 0 })
        try await shared.expectTheSame()
    }

    @Test("DR-60: with --slots the process of a flow's run works itself, and needs no other")
    func alone() async throws {
        let shared = try await SharedFlow(openingAt: 2)
        let ran = try await shared.run("--slots", "2", "--log-format", "text").result()
        #expect(ran.status == 0, "\(ran.errors)")
        #expect(ran.errors.contains("joined"))
        #expect(ran.errors.contains(" run summary "), "\(ran.errors)")
        try await shared.expectTheSame()
    }

    @Test(
        "DR-22, DR-48: a step that runs again for a missing file runs on a worker that knew the old plan"
    )
    func goneFile() async throws {
        let shared = try await SharedFlow(openingAt: 1)
        let worker = try shared.work(slots: 2)
        #expect(try await shared.run().result().status == 0)
        #expect(shared.asked.count == 7)
        try FileManager.default.removeItem(at: shared.flow.folder.url.appending(path: "pages/b.txt"))
        let again = try await shared.run().result()
        #expect(again.status == 0, "\(again.errors)")
        let steps = try shared.steps()
        // The count of a version stands below a digest of the task.
        #expect(steps["page[b]"].map { $0.version % 65_536 } == 2)
        #expect(steps["index"].map { $0.version % 65_536 } == 1)
        #expect(shared.asked.values.count { $0 == "/page/b" } == 2)
        worker.signal(SIGTERM)
        let result = await worker.result()
        #expect(try result.steps("unknown") == [], "\(result.output)")
        try await shared.expectTheSame()
    }

    @Test("DR-43, DR-48: a worker that takes over a run of a flow looks for none of its files")
    func takenOver() async throws {
        let shared = try await SharedFlow()
        let worker = try shared.work(slots: 2)
        let run = try shared.run()
        await shared.asked.waitForCount(2)
        try await shared.waitForSteps { $0["index"]?.state == .finished }
        run.signal(SIGKILL)
        #expect(await run.result().wasSignalled)
        // As on another machine, where it never was.
        try FileManager.default.removeItem(at: shared.flow.folder.url.appending(path: "index.json"))
        shared.gate.open()
        await worker.waitForLine("\"owned\"")
        worker.signal(SIGTERM)
        let result = await worker.result()
        #expect(result.status == 0, "\(result.errors)")
        #expect(try result.lines.contains { $0["event"]?.string == "owns" })
        #expect(shared.site.requests.count { $0.target == "/index" } == 1)
        #expect(try await shared.show().output.hasPrefix("flow/k: finished"))
        #expect(try shared.flow.folder.names().contains("index.json") == false)
        // A worker that is offered the step looks for the file.
        let again = try shared.work()
        #expect(try await shared.run().result().status == 0)
        again.signal(SIGTERM)
        #expect(await again.result().status == 0)
        #expect(shared.site.requests.count { $0.target == "/index" } == 2)
        #expect(try shared.steps()["index"].map { $0.version % 65_536 } == 2)
        try await shared.expectTheSame()
    }
}
