import Foundation
import Stepline
import SteplineTesting
import Testing

// The snippets of the page on seeing what happened, compiled and run.

enum Trace { @TaskLocal static var id = "none" }

@Suite("Seeing guide", .timeLimit(.minutes(5)))
struct SeeWhatHappenedSnippets {
    @Test("an error, read")
    func error() async throws {
        let server = try LoopbackServer()
        server.route("/feed", .text("no such feed", status: 404))
        let feed = Pipeline("feed") {
            URLLoadStep(server.url("/feed")).named("load")
            JSONParseStep()
        }
        do {
            _ = try await feed.run()
        } catch let error as PipelineError {
            print(error)
            print(error.step?.name ?? "", error.attempt)
            if let refused = error.underlying(as: RequestError.self) {
                print(refused.statusCode ?? 0, refused.text)
            }
        }
        let error = try #require(feed.error), refused = error.underlying(as: RequestError.self)
        #expect(error.step?.name == "load" && error.attempt == 1)
        #expect(refused?.statusCode == 404 && refused?.text == "no such feed")
        let page = try documentedText(of: "Sources/Stepline/Documentation.docc/SeeWhatHappened.md")
        let printed = "\(error)".replacing(":\(server.port)/", with: ":8080/")
        #expect(page.contains("\n\(printed)\n"))
    }

    @Test("explanations")
    func explanations() async throws {
        let gate = Gate()
        let pipeline = Pipeline("p") { BlockStep { () async in await gate.wait() } }
        let workflow = Workflow("w"), upload = WorkflowTask(name: "upload")
        try workflow.add(upload)
        let manager = TaskManager()
        let handle = manager.add("waits") { await gate.wait() }
        print(pipeline.explain())
        print(workflow.explain(upload))
        for reason in workflow.explain() { print(reason) }
        print(handle.explain())
        print(manager.explain())
        #expect(pipeline.explain().description == "p waits for start().")
        #expect("\(workflow.explain(upload))" == "upload may run, but hasn't been started.")
        gate.open()
        try await manager.waitUntilIdle()
    }

    @Test("a trace id")
    func trace() async throws {
        let workflow = Workflow("traced"), seen = Recorder<String>()
        try workflow.add("body") { seen.record(Trace.id) }
        TaskLocals.propagate(Trace.$id)
        try await Trace.$id.withValue("r-17") { try await workflow.run() }
        #expect(seen.values == ["r-17"])
    }

    @Test("events")
    func events() async throws {
        let pipeline = Pipeline("events") { BlockStep { () in "text" } }
        let events = pipeline.events
        try pipeline.start()
        for await event in events {
            switch event.kind {
            case .stepEnded(let step, attempt: _, let outcome, duration: let time):
                print(step.name, outcome, time)
            case .retrying(_, failedAttempt: _, error: let error, wait: let wait): print(error, wait)
            default: break
            }
        }
        #expect(pipeline.isFinished)
    }

    @Test("progress, and a log")
    func progressAndLog() async throws {
        let workflow = Workflow("progress"), count = 3
        try workflow.add("one") { 1 }
        try await workflow.run()
        let progress = workflow.progress
        print("\(progress.finished) of \(progress.total), \(Int(progress.fraction * 100)) %")
        #expect(progress.fraction == 1)

        let log = StepLog(historySize: 100, synchronous: true, minimumLevel: .info)
        log.addSink { record in print(record.line) }
        log.info("loaded \(count) feeds", tags: ["feed"])
        let manager = TaskManager(options: .init(log: log))
        let feed = Pipeline("feed", options: .init(log: log)) { BlockStep { () in "text" } }
        log.minimumLevel = .warning
        #expect(try await feed.run() == "text" && log.minimumLevel == .warning)
        log.minimumLevel = .info
        try await manager.run("logged") {}
        try await manager.waitUntilIdle()
        await log.flush()
        #expect(log.history.first?.contains("loaded 3 feeds") == true && log.history.count > 1)
    }

    @MainActor
    private final class Screen {
        var bar = 0.0
    }

    @Test("progress, called back")
    @MainActor
    func progressCallbacks() async throws {
        let screen = Screen()
        let search = Pipeline("search") { BlockStep { () in 3 } }
        let workflow = Workflow("pages")
        let pages = try workflow.map("page", over: [1, 2]) { $0 }
        let subscription = search.onProgress(on: .main, for: screen) { screen.bar = $0.fraction ?? 0 }
        workflow.onProgress { print($0) }
        pages.onProgress { print("\($0.finished) of \($0.total) pages") }
        search.removeCallbacks(of: screen)
        subscription.cancel()
        #expect(try await search.run() == 3)
        try await workflow.run()
        #expect(screen.bar == 0)
    }

    @Test("a report, and a picture")
    func report() async throws {
        @Sendable func load() throws -> String { "text" }
        let file = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).html")
        let workflow = Workflow("mirror", options: .init(keptAttempts: 8))
        try workflow.add("load") { try load() }
        let report = try await workflow.run()
        print(report.ending, report.criticalPath)
        for attempt in report.attempts {
            print(attempt.task, attempt.number, attempt.ending, attempt.duration)
        }
        try workflow.picture(as: .html).write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(report.criticalPath.map(\.name) == ["load"] && report.attempts.count == 1)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("load"))
    }

    @Test("an error, by its code")
    func errorByCode() async throws {
        let pipeline = Pipeline(options: .init(deadline: .milliseconds(1))) {
            BlockStep { () async in await Gate().wait() }
        }
        do {
            try await pipeline.run()
        } catch let error as PipelineError where error.code == .timedOut {
            print(error)
        }
        #expect(pipeline.error?.code == .timedOut)
    }
}
