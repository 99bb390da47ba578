import Foundation
import Stepline
import SteplineTesting
import Testing

@Suite("Crawls and the answers for robots.txt", .timeLimit(.minutes(5)))
struct CrawlRobotsTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/", .text("<title>Home</title>", type: "text/html"))
    }

    private func outcome() async throws -> Outcome<RunReport> {
        let workflow = Workflow()
        try workflow.crawl("page", Crawl(from: server.url(), agent: "notes-bot", atMost: 9)) { $0.depth }
        return await workflow.outcome()
    }

    private var pageRequests: Int { server.requests.count { $0.target == "/" } }

    @Test("each retry loads a robots.txt that has failed again, and the crawl goes on when it is there")
    func recovery() async throws {
        let (clock, network) = (ManualClock(), TransportDouble())
        network.on(
            "GET", "http://site.example/robots.txt", .status(503), .status(503),
            .status(503).header("Retry-After", "30"), .status(404))
        let home = TransportAnswer.text("<title>Home</title>").header("Content-Type", "text/html")
        network.on("GET", "http://site.example/", home)
        let start = try #require(URL(string: "http://site.example/"))
        var crawl = Crawl(from: start, agent: "notes-bot", atMost: 9)
        crawl.load.transport = network
        let workflow = Workflow(options: WorkflowOptions(clock: clock))
        let patient = TaskOptions(retry: .exponential(attempts: 4))
        let rows = try workflow.crawl("page", crawl, options: patient) { $0.depth }
        try workflow.start()
        for (count, pause) in [(1, 5), (2, 10), (3, 30)] {
            await clock.waitForScheduled(after: .seconds(pause))
            #expect(network.requests.count == count)
            clock.advance(by: .seconds(pause))
        }
        try await workflow.run()
        #expect(try await rows.value == [0])
        #expect(network.requests.count == 5)
    }

    @Test("a page that was found waits while the robots.txt of its site fails, for two minutes at most")
    func waiting() async throws {
        let (clock, network) = (ManualClock(), TransportDouble())
        let page = TransportAnswer.text("<a href=http://b.example/>b</a>").header("Content-Type", "text/html")
        network.on("GET", "http://a.example/robots.txt", .status(404))
        network.on("GET", "http://a.example/", page)
        network.on("GET", "http://b.example/robots.txt", .status(503), .status(503), .status(404))
        network.on("GET", "http://b.example/", page)
        let start = try #require(URL(string: "http://a.example/"))
        var crawl = Crawl(from: start, agent: "notes-bot", atMost: 9)
        crawl.hosts.insert("b.example")
        crawl.load.transport = network
        let workflow = Workflow(options: WorkflowOptions(clock: clock))
        let rows = try workflow.crawl("page", crawl) { $0.depth }
        try workflow.start()
        for pause in [5, 10] {
            await clock.waitForScheduled(after: .seconds(pause))
            clock.advance(by: .seconds(pause))
        }
        try await workflow.run()
        #expect(try await rows.value == [0, 1])
    }

    @Test("a status that asks to come back later forbids all pages", arguments: [408, 425, 429])
    func temporaryStatus(status: Int) async throws {
        server.route("/robots.txt", .status(status))
        guard case .failure = try await outcome() else {
            Issue.record("the crawl goes on without the rules")
            return
        }
        #expect(pageRequests == 0)
    }

    @Test("a missing robots.txt allows all pages at once, also if the body of its status doesn't end")
    func endlessMissing() async throws {
        var missing = LoopbackResponse.pattern(count: nil)
        missing.status = 404
        server.route("/robots.txt", missing)
        guard case .success = try await outcome() else {
            Issue.record("the crawl fails")
            return
        }
        #expect(pageRequests == 1)
    }
}
