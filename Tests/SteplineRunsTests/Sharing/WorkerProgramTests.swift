import Foundation
import SteplinePostgreSQL
import SteplineReports
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import TestServers
import Testing

@testable import SteplineRuns

/// A program with a map, a failure that is retried, and a value for each page.
private struct Crawl: DurableWorkflow {
    struct Input: Codable, Sendable { var count: Int }

    static let stores: [RunStoreKind] = [.postgreSQL, .file]

    static func build(_ workflow: Workflow, _ input: Input) throws {
        let index = try workflow.add("index") { Array(0..<input.count) }
        let pages = try workflow.map(
            "page", over: index,
            options: TaskOptions(retry: .constant(attempts: 3, delay: .zero, when: { _ in true })),
            key: { "\($0)" }
        ) { number in
            if number == 3, TaskAttempt.idempotencyKey != nil, Fails.first() { throw Fails() }
            return number * 2
        }
        try workflow.add("report", after: pages) { pages in pages.reduce(0, +) }
    }
}

private struct Fails: Error, CustomStringConvertible {
    private static let failed = Locked(false)
    let description = "page 3 is away"

    /// Whether it is the first time in this process.
    static func first() -> Bool {
        failed.withLock { failed in
            defer { failed = true }
            return !failed
        }
    }
}

@Suite(.timeLimit(.minutes(5)), .enabled(if: TestServer.isNeeded, "\(TestServer.absence)"))
struct WorkerProgramTests {
    private func run(_ words: [String]) async -> (code: Int32, said: String) {
        let said = Recorder<String>()
        let output = ProgramOutput(environment: [:]) {
            said.record($0)
        } complain: {
            said.record($0)
        }
        let code = await DurableProgram(Crawl.self, called: "crawl", output).run(words)
        return (code, said.values.joined())
    }

    @Test
    func
        `DR-41, DR-60: run on workers hands out steps, which three work processes run, and each leaves when idle`()
        async throws
    {
        let server = try await TestServer.shared()
        let url = try await server.newDatabase()
        async let first = run(["work", "--store", url, "--slots", "2", "--idle", "500ms", "--json"])
        async let second = run(["work", "--store", url, "--slots", "2", "--idle", "500ms", "--json"])
        let ran = await run([
            "run", "--store", url, "--key", "k", "--input", "{\"count\": 20}", "--on", "workers", "--slots",
            "2",
        ])
        #expect(ran.code == 0 && ran.said.contains("crawl/k finished: 23 steps run, 0 kept"), "\(ran.said)")
        let (one, two) = await (first, second)
        #expect(one.code == 0 && one.said.contains("\"event\":\"joined\""), "\(one.said)")
        #expect(two.code == 0 && two.said.contains("\"event\":\"left\""), "\(two.said)")
        let store = try PostgreSQLRunStore(url)
        let result = try store.result(of: "report", in: RunID("crawl", key: "k"))
        #expect(result.map { String(decoding: $0, as: UTF8.self) } == "380")
        #expect(try store.run(RunID("crawl", key: "k"))?.finished == 23)
        let shown = await run(["runs", "show", "k", "--store", url, "--json"])
        #expect(shown.said.contains("\"worker\":\""), "\(shown.said)")
        let followed = await run(["runs", "show", "k", "--follow", "--store", url])
        #expect(followed.said.contains(/report finished .* on \S+/), "\(followed.said)")
        let graph = try StoredRuns(store, of: "crawl", isJSON: false, guide: .silent).graph("k", shape: nil)
        let trace = PictureFormat.trace.draw(graph)
        let workers = Set(graph.tasks.flatMap(\.attempts).compactMap(\.worker))
        #expect(!workers.isEmpty)
        for worker in workers { #expect(trace.contains("{\"name\":\"crawl on \(worker)\"}"), "\(worker)") }
        let page = PictureFormat.html.draw(graph)
        for worker in workers { #expect(page.contains("\"\(worker)\""), "\(worker)") }
        // Nothing is left behind.
        #expect(try await server.sql("SELECT count(*) FROM stepline.offers", in: url) == ["0"])
        #expect(try await server.sql("SELECT count(*) FROM stepline.workers", in: url) == ["0"])
    }

    @Test func `DR-51, DR-60: the worker of the run's own process stays as long as the run`() async throws {
        let url = try await TestServer.shared().newDatabase()
        let ran = await run([
            "run", "--store", url, "--key", "k", "--input", "{\"count\": 2}", "--on", "workers", "--slots",
            "1",
            "--idle", "1ms",
        ])
        #expect(ran.code == 0 && ran.said.contains("crawl/k finished"), "\(ran.said)")
    }

    @Test(arguments: [
        (["work", "--store", "runs.db"], "is a store of one machine"),
        (["run", "--store", "runs.db", "--key", "k", "--on", "workers"], "workers require a server"),
        (["work", "--store", "postgresql://x/y", "--slots", "0"], "--slots expects"),
        (["run", "--key", "k", "--store", "x", "--on", "clouds"], "--on expects slurm or workers"),
    ])
    func `DR-50: stores and options without support for workers are refused with a reason`(
        words: [String], reason: String
    )
        async throws
    {
        let folder = try TestFolder()
        let words = words.map { $0 == "runs.db" ? folder.url.appending(path: $0).path : $0 }
        let refused = await run(words)
        #expect(refused.code != 0 && refused.said.contains(reason), "\(refused.said)")
    }
}
