import Foundation
import Stepline
import SteplineRuns
import SteplineTesting
import TestSupport
import Testing

@Suite("Results of crawls", .timeLimit(.minutes(5)))
struct CrawlResultTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/robots.txt", .status(404))
    }

    private func page(_ path: String, links: String..., title: String? = nil) {
        let body = links.map { "<a href=\"\($0)\">x</a>" }.joined()
        let head = title.map { "<title>\($0)</title>" } ?? ""
        server.route(path, .text("\(head)<p>\(body)", type: "text/html; charset=utf-8"))
    }

    private func crawl() -> Crawl { Crawl(from: server.url("/"), agent: "notes-bot/1.0", atMost: 100) }

    private func requests(_ path: String) -> Int { server.requests.count { $0.target == path } }

    @Test("after a failure, settled and asTheyFinish have the results of the other pages")
    func afterFailure() async throws {
        page("/", links: "/gone", "/bad", "/a")
        page("/a")
        server.route("/gone", .status(404))
        server.route("/bad", .status(500))
        let workflow = Workflow()
        let rows = try workflow.crawl("page", crawl()) { $0.url.path }
        await #expect(throws: (any Error).self) { try await workflow.run() }
        let settled = try rows.settled
        #expect(settled.map { try? $0.get() } == ["/", nil, "/a"])
        #expect(throws: WorkflowError.self) { _ = try settled[1].get() }
        var found: [String] = []
        for await row in rows.asTheyFinish { found.append(row) }
        #expect(found == ["/", "/a"])
        server.route("/bad", .text("<p>mended", type: "text/html"))
        workflow.retry()
        #expect(try await rows.value == ["/", "/bad", "/a"])
        #expect(try rows.settled.map { try $0.get() } == ["/", "/bad", "/a"])
    }

    @Test("results come while the crawl runs")
    func early() async throws {
        page("/", links: "/a")
        page("/a")
        let (gate, found) = (Gate(), Recorder<String>())
        let workflow = Workflow()
        let rows = try workflow.crawl("page", crawl()) { page in
            if page.depth > 0 { await gate.wait() }
            return page.url.path
        }
        let reading = Task { for await row in rows.asTheyFinish { found.record(row) } }
        try workflow.start()
        await found.waitForCount(1)
        #expect(found.values == ["/"])
        gate.open()
        try await workflow.run()
        await reading.value
        #expect(found.values == ["/", "/a"])
    }

    @Test("results that are nil are kept by a durable run that is continued, and by a finished one")
    func nilResults() async throws {
        page("/", links: "/untitled", "/bad", title: "Home")
        page("/untitled")
        server.route("/bad", .status(500))
        let store = MemoryRunStore()
        func make() throws -> (workflow: Workflow, rows: TaskRef<[String?]>) {
            let workflow = Workflow("crawl")
            return (workflow, try workflow.crawl("page", crawl()) { $0.html.title })
        }
        await #expect(throws: (any Error).self) { try await make().workflow.run(in: store, key: "k") }
        page("/bad", title: "Mended")
        for _ in 1...2 {
            let (workflow, rows) = try make()
            try await workflow.run(in: store, key: "k", retryingFailures: true)
            #expect(try await rows.value == ["Home", nil, "Mended"])
            #expect(try rows.settled.map { try $0.get() } == ["Home", nil, "Mended"])
        }
        #expect(requests("/untitled") == 1 && requests("/bad") == 2)
    }
}
