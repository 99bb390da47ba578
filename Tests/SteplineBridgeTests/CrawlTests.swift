import Foundation
import Stepline
import SteplineRuns
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Crawls", .timeLimit(.minutes(5)))
struct CrawlTests {
    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route("/robots.txt", .status(404))
    }

    private func page(_ path: String, links: String..., head: String = "", title: String? = nil) {
        let body = links.map { $0.contains("<") ? $0 : "<a href=\"\($0)\">\($0)</a>" }.joined()
        let html = "<html><head><title>\(title ?? path)</title>\(head)</head><body>\(body)</body></html>"
        server.route(path, .text(html, type: "text/html; charset=utf-8"))
    }

    private func crawl(_ path: String = "/", atMost count: Int = 100) -> Crawl {
        Crawl(from: server.url(path), agent: "notes-bot/1.0", atMost: count)
    }

    /// Runs a crawl, and returns the paths of the pages that its body got, in their order.
    private func paths(_ crawl: Crawl, clock: any StepClock = .system) async throws -> [String] {
        let workflow = Workflow(options: WorkflowOptions(clock: clock))
        let rows = try workflow.crawl("page", crawl) { page in
            page.url.path(percentEncoded: true) + (page.url.query.map { "?\($0)" } ?? "")
        }
        try await workflow.run()
        return try await rows.value
    }

    /// The error of the first page that fails in a crawl.
    private func failure(_ crawl: Crawl) async throws -> CrawlError? {
        let workflow = Workflow()
        try workflow.crawl("page", crawl) { $0.depth }
        guard case .failure(let error) = await workflow.outcome() else { return nil }
        let errors = (error as? WorkflowError)?.report?.failures.compactMap(\.error) ?? []
        return errors.lazy.compactMap { error in
            error as? CrawlError ?? (error as? any ErrorWithCause)?.underlying(as: CrawlError.self)
        }.first
    }

    private func requests(_ path: String) -> Int { server.requests.count { $0.target == path } }

    @Test("each page is loaded once, breadth first, by whatever path and spelling it is found")
    func oncePerPage() async throws {
        page("/", links: "/a", "/b#x", "/./c", "HTTP://127.0.0.1:\(server.port)/%61")
        page("/a", links: "/", "/b", "c", "/a/deep")
        page("/b", links: "/a", "/a/deep")
        page("/c", links: "/")
        page("/a/deep", links: "../c", "//far.example/x", "mailto:me@far.example", "/a")
        #expect(try await paths(crawl()) == ["/", "/a", "/b", "/c", "/a/deep"])
        for path in ["/", "/a", "/b", "/c", "/a/deep", "/robots.txt"] {
            #expect(requests(path) == 1, "\(path)")
        }
        #expect(server.requests.allSatisfy { $0["User-Agent"] == "notes-bot/1.0" })
    }

    @Test("a page has its document, links, bytes and depth")
    func pageValues() async throws {
        page("/", links: "/ä")
        page("/ä", links: "<a href=/x rel=nofollow>x</a>", title: "Ä")
        let workflow = Workflow()
        let rows = try workflow.crawl("page", crawl()) { page in
            "\(page.depth) \(page.html.title ?? "") \(page.links.map(\.text)) \(page.data.count > 50) "
                + "\(page.response.statusCode)"
        }
        try await workflow.run()
        #expect(try await rows.value == ["0 / [\"/ä\"] true 200", "1 Ä [\"x\"] true 200"])
    }

    @Test("redirects and canonical addresses are counted once, and loops of redirects end")
    func redirectsAndCanonicals() async throws {
        page("/", links: "/old", "/new", "/print", "/loop", "/out")
        server.route("/old", .redirect(to: "/new", status: 301))
        page("/new")
        page("/print", links: "/from-print", head: "<link rel=canonical href=/article>")
        page("/article", head: "<link rel=canonical href='/print'>")
        page("/from-print", head: "<link rel=canonical href='http://far.example/'>")
        server.route("/loop", .redirect(to: "/loop2"))
        server.route("/loop2", .redirect(to: "/loop"))
        server.route("/out", .redirect(to: "http://far.example/"))
        #expect(try await paths(crawl()) == ["/", "/new", "/print", "/from-print"])
        #expect(requests("/new") == 1 && requests("/article") == 1 && requests("/loop") == 3)
    }

    @Test(
        "a page whose canonical address has no page keeps its result",
        arguments: [
            LoopbackResponse.redirect(to: "/"), .redirect(to: "/a"), .status(404),
            .text("<meta name=robots content=noindex>", type: "text/html"),
            .text("{}", type: "application/json"),
        ])
    func canonicalWithoutPage(_ response: LoopbackResponse) async throws {
        page("/", links: "/a")
        page("/a", links: "/b", head: "<link rel=canonical href=/canonical>")
        page("/b", head: "<link rel=canonical href=/canonical>")
        server.route("/canonical", response)
        #expect(try await paths(crawl()) == ["/", "/a"])
    }

    @Test("a site whose canonical addresses have another port has all its pages, each loaded once")
    func canonicalElsewhere() async throws {
        let other = try LoopbackServer()
        for (path, link) in [("/", "/a"), ("/a", "/")] {
            other.route(path, .redirect(to: server.url(path).absoluteString))
            page(path, links: link, head: "<link rel=canonical href='\(other.url(path))'>")
        }
        #expect(try await paths(crawl()) == ["/", "/a"])
        #expect(other.requests.isEmpty)
        #expect(requests("/") == 1 && requests("/a") == 1)
    }

    @Test("the first page with a canonical address has a result, also at the limit and after a reset")
    func groups() async throws {
        page("/", links: "/a", head: "<link rel=canonical href=/whole>")
        page("/a", links: "/b", head: "<link rel=canonical href=/whole>")
        page("/b", head: "<link rel=canonical href=/a>")
        page("/whole", links: "/c", head: "<link rel=canonical href=/whole>")
        page("/c", head: "<link rel=canonical href=/>")
        #expect(try await paths(crawl(atMost: 1)) == ["/"])
        let workflow = Workflow()
        let rows = try workflow.crawl("page", crawl()) { $0.url.path }
        try await workflow.run()
        #expect(try await rows.value == ["/"])
        #expect(requests("/c") == 1 && requests("/whole") == 1)
        page("/", links: "/b")
        workflow.reset()
        try await workflow.run()
        #expect(try await rows.value == ["/", "/b"])
    }

    @Test("a run that is continued keeps the pages whose canonical addresses it visits then")
    func continuedGroups() async throws {
        let store = MemoryRunStore()
        page("/", head: "<link rel=canonical href=/whole>")
        page("/whole", links: "/a")
        page("/a", head: "<link rel=canonical href=/whole>")
        for (count, expected) in [(1, ["/"]), (9, ["/"])] {
            let workflow = Workflow("crawl")
            let rows = try workflow.crawl("page", crawl(atMost: count)) { $0.url.path }
            try await workflow.run(in: store, key: "k")
            #expect(try await rows.value == expected)
        }
        #expect(requests("/") == 1 && requests("/whole") == 1 && requests("/a") == 1)
    }

    @Test("a page that redirects through another one back to itself is loaded, as after setting a cookie")
    func redirectBack() async throws {
        let text = LoopbackResponse.text("<title>x</title>", type: "text/html")
        server.route("/", inTurn: [.redirect(to: "/cookie"), text])
        server.route("/cookie", .redirect(to: "/"))
        #expect(try await paths(crawl()) == ["/"])
        #expect(requests("/") == 2 && requests("/cookie") == 1)
    }

    @Test(
        "a start whose redirects lead to no page is an error",
        arguments: [
            ("/circle", "circle"), ("/chain?0", "10 redirects"), ("/placeless", "status 302"),
            ("/json", "application/json"), ("/typeless", "isn't HTML"),
        ])
    func startsWithoutPage(path: String, message: String) async throws {
        server.route("/circle", .redirect(to: "/back"))
        server.route("/back", .redirect(to: "/circle"))
        server.routeEndlessRedirects("/chain")
        server.route("/placeless", .text("<p>x", type: "text/html", status: 302))
        server.route("/json", .text("{}", type: "application/json"))
        server.route("/typeless", .status(200))
        let error = try await failure(crawl(path, atMost: 1_000))
        #expect(error?.code == .startSkipped && error?.message.contains(message) == true, "\(error as Any)")
        page("/", links: path)
        #expect(try await paths(crawl(atMost: 1_000)) == ["/"])
        #expect(server.requests.count < 50)
    }

    @Test("a page that redirects to itself and then out of the crawl, or to another file, has no result")
    func redirectToItselfAndOut() async throws {
        page("/", links: "/out", "/file")
        server.route("/out", inTurn: [.redirect(to: "/out"), .redirect(to: "http://far.example/")])
        server.route(
            "/file", inTurn: [.redirect(to: "/file"), .data(Data("%PDF".utf8), type: "application/pdf")])
        #expect(try await paths(crawl()) == ["/"])
        #expect(requests("/out") == 2 && requests("/file") == 2)
    }

    @Test("a canonical address that names another one at each load is visited once")
    func endlessCanonicals() async throws {
        let loads = Locked(0)
        for path in ["/", "/x"] {
            server.route(path) { _ in
                let number = loads.withLock { count in
                    count += 1
                    return count
                }
                return .text("<link rel=canonical href='/x?sid=\(number)'>", type: "text/html")
            }
        }
        #expect(try await paths(crawl()) == ["/"])
        #expect(loads.withLock { $0 } == 2)
    }

    @Test("a redirect to the same page is followed, since its target counts as visited")
    func redirectToItself() async throws {
        let text = LoopbackResponse.text("<title>x</title>", type: "text/html")
        server.route("/", inTurn: [.redirect(to: "/#again"), text])
        #expect(try await paths(crawl()) == ["/"])
    }

    @Test("robots.txt, meta, headers and relations are obeyed, and ignored if the crawl says so")
    func robots() async throws {
        server.route("/robots.txt", .text("User-agent: notes-bot\nDisallow: /private\nAllow: /private/open"))
        page(
            "/", links: "/private/a", "/private/open", "<a href=/unfollowed rel=nofollow>x</a>", "/hidden",
            "/dead")
        page("/private/a")
        page("/private/open")
        page("/unfollowed")
        page("/hidden", links: "/found", head: "<meta name=ROBOTS content='NoIndex'>")
        page(
            "/dead", links: "/never",
            head: "<meta name=notes-bot content='nofollow'><meta name=otherbot content=none>")
        let tagged = LoopbackResponse.text("<a href=/never>x</a>", type: "text/html")
        server.route("/found", tagged.header("X-Robots-Tag", "otherbot: noindex, notes-bot: nofollow"))
        page("/never")
        #expect(try await paths(crawl()) == ["/", "/private/open", "/dead", "/found"])
        #expect(requests("/private/a") == 0)
        var rude = crawl()
        rude.obeysRobots = false
        let all = try await paths(rude)
        #expect(Set(all).isSuperset(of: ["/private/a", "/unfollowed", "/hidden", "/never"]))
        #expect(requests("/robots.txt") == 1)
    }

    @Test("a failing robots.txt forbids all pages, a missing one none")
    func failingRobots() async throws {
        page("/")
        server.route("/robots.txt", .status(503))
        let error = try await failure(crawl())
        #expect(error?.code == .robotsUnreachable && error?.url == server.url("/robots.txt"))
        #expect((error?.underlying as? RequestError)?.statusCode == 503)
        #expect(requests("/") == 0)
        server.route("/robots.txt", .redirect(to: "/rules"))
        server.route("/rules", .text("User-agent: *\nDisallow: /"))
        #expect(try await failure(crawl())?.code == .startSkipped)
        #expect(requests("/") == 0)
        for status in [401, 403, 404, 410] {
            server.route("/robots.txt", .status(status))
            #expect(try await paths(crawl()) == ["/"])
        }
    }

    @Test("an endless robots.txt is read up to its limit")
    func endlessRobots() async throws {
        page("/")
        server.route("/robots.txt", .pattern(count: nil))
        #expect(try await paths(crawl()) == ["/"])
    }

    @Test("a start that can't be loaded, or leads elsewhere, is an error that says what to do")
    func starts() async throws {
        server.route("/", .redirect(to: "http://www.far.example/"))
        let error = try await failure(crawl())
        #expect(error?.code == .startSkipped)
        #expect(
            error?.description.contains("www.far.example") == true
                && error?.description.contains("hosts") == true)
        server.route("/", .status(404))
        await #expect(throws: (any Error).self) { try await paths(crawl()) }
        #expect(throws: CrawlError.self) { try Workflow().crawl("page", crawl(atMost: 0)) { $0.depth } }
    }

    @Test("missing pages and other files have no result; a page that fails fails the crawl after all others")
    func failures() async throws {
        page("/", links: "/missing", "/file", "/broken", "/a", "/empty")
        page("/a")
        server.route("/file", .data(Data("%PDF".utf8), type: "application/pdf"))
        server.route("/empty", .text("", type: "text/html"))
        server.route("/broken", inTurn: [.status(500), .text("<p>mended", type: "text/html")])
        let workflow = Workflow()
        let rows = try workflow.crawl("page", crawl()) { $0.url.path }
        await #expect(throws: (any Error).self) { try await workflow.run() }
        #expect(requests("/a") == 1 && requests("/empty") == 1)
        workflow.retry()
        try await workflow.run()
        #expect(try await rows.value == ["/", "/broken", "/a", "/empty"])
        #expect(requests("/broken") == 2 && requests("/a") == 1)
    }

    @Test("the report of a durable crawl has the pages that were loaded, apart from the map and its results")
    func executedPages() async throws {
        page("/", links: "/a")
        page("/a")
        let workflow = Workflow("crawl")
        try workflow.crawl("page", crawl()) { $0.url.path }
        let report = try await workflow.run(in: MemoryRunStore(), key: "k")
        let pages = ["/", "/a"].map { "page[\(server.url($0))]" }
        #expect(report.executed(of: "page") == pages)
        #expect(Set(report.executed) == Set(pages + ["page", "page results"]))
        #expect(report.executed(of: "pag").isEmpty)
    }

    @Test("endless pages are bounded by number and depth, and traps aren't entered")
    func traps() async throws {
        page("/", links: "/day?n=1", "/x/y/x/y/x/y/x/y")
        server.route("/day") { request in
            let day = request.query.flatMap { Int($0.dropFirst(2)) } ?? 0
            return .text("<a href='/day?n=\(day + 1)'>next</a>", type: "text/html")
        }
        #expect(try await paths(crawl(atMost: 12)).count == 12)
        var shallow = crawl()
        shallow.maximumDepth = 3
        #expect(try await paths(shallow) == ["/", "/day?n=1", "/day?n=2", "/day?n=3"])
        #expect(requests("/x/y/x/y/x/y/x/y") == 0)
    }

    @Test("pages in sitemaps are found, through an index, on the hosts of the crawl only")
    func sitemaps() async throws {
        server.route(
            "/robots.txt",
            .text("Sitemap: \(server.url("/index.xml"))\nSitemap: http://far.example/map.xml\n"))
        server.route(
            "/index.xml",
            .text("<sitemapindex><sitemap><loc>\(server.url("/map.txt"))</loc></sitemap></sitemapindex>"))
        server.route("/map.txt", .text("\(server.url("/a"))\n\(server.url("/b"))\nhttp://far.example/c"))
        page("/")
        page("/a")
        page("/b")
        var crawl = crawl()
        #expect(try await paths(crawl) == ["/"])
        crawl.usesSitemaps = true
        #expect(try await paths(crawl) == ["/", "/a", "/b"])
    }

    @Test("a sitemap that is missing or damaged doesn't fail the crawl, and one that has moved is read")
    func unusableSitemaps() async throws {
        let other = try LoopbackServer()
        other.route("/map.txt", .text(server.url("/a").absoluteString))
        let names = ["missing", "damaged", "page", "elsewhere", "circle", "moved"]
        let lines = names.map { "Sitemap: \(server.url("/" + $0))" }
        server.route("/robots.txt", .text(lines.joined(separator: "\n")))
        server.route("/damaged", .text("<urlset><url><loc>http://"))
        server.route("/page", .text("<!doctype html><title>x<p>y<br>", type: "text/html"))
        server.route("/elsewhere", .redirect(to: "http://far.example/map.xml"))
        server.route("/circle", .redirect(to: "/circle"))
        server.route("/moved", .redirect(to: other.url("/map.txt").absoluteString))
        page("/")
        page("/a")
        var crawl = crawl()
        crawl.usesSitemaps = true
        #expect(try await paths(crawl) == ["/", "/a"])
        // Without obeying robots.txt its failure means only that it names no sitemaps.
        server.route("/robots.txt", .status(503))
        crawl.obeysRobots = false
        #expect(try await paths(crawl) == ["/"])
    }

    @Test("the longer of delay and Crawl-delay separates the requests to a host, up to the limit")
    func politeness() async throws {
        server.route("/robots.txt", .text("User-agent: *\nCrawl-delay: 10"))
        page("/", links: "/a")
        page("/a", links: "/b")
        page("/b")
        /// Runs a crawl whose next request begins only when the clock has been advanced by the interval.
        func run(_ crawl: Crawl, every interval: Duration, on clock: ManualClock, from first: Int = 2)
            async throws
        {
            let before = server.requests.count
            async let found = paths(crawl, clock: clock)
            for count in first...3 {
                await clock.waitForScheduled(after: interval)
                #expect(server.requests.count == before + count)
                clock.advance(by: interval)
                await server.waitForRequests(before + count + 1)
            }
            #expect(try await found == ["/", "/a", "/b"])
        }
        // The queues of hosts know clocks by their addresses: all three live until the end.
        let clocks = [ManualClock(), ManualClock(), ManualClock()]
        var crawl = crawl()
        try await run(crawl, every: .seconds(10), on: clocks[0])
        crawl.maximumDelay = .seconds(2)
        try await run(crawl, every: .seconds(2), on: clocks[1])
        crawl.delay = .seconds(5)
        // This delay is known before the site's rules are.
        try await run(crawl, every: .seconds(5), on: clocks[2], from: 1)
        withExtendedLifetime(clocks) {}
    }

    @Test("a crawl that is cancelled while it waits for robots.txt ends at once")
    func cancelledRobots() async throws {
        let (clock, network) = (ManualClock(), TransportDouble())
        network.on("GET", "http://site.example/robots.txt", .silence)
        let start = try #require(URL(string: "http://site.example"))
        var crawl = Crawl(from: start, agent: "bot", atMost: 9)
        crawl.load.transport = network
        let workflow = Workflow(options: WorkflowOptions(clock: clock))
        try workflow.crawl("page", crawl) { $0.depth }
        try workflow.start()
        await network.waitForRequests(1)
        workflow.cancel()
        _ = await workflow.outcome()
        #expect(network.requests.count == 1)
    }

    @Test("the delay separates the requests to all ports of a host")
    func portsOfOneHost() async throws {
        let (clock, network) = (ManualClock(), TransportDouble())
        let page = TransportAnswer.text("<a href=http://a.example:81/>x</a>").header(
            "Content-Type", "text/html")
        network.on("GET", "http://a.example/", page)
        network.on("GET", "http://a.example:81/", page)
        let start = try #require(URL(string: "http://a.example/"))
        var crawl = Crawl(from: start, agent: "bot", atMost: 9)
        crawl.obeysRobots = false
        crawl.delay = .seconds(7)
        crawl.load.transport = network
        let workflow = Workflow(options: WorkflowOptions(clock: clock))
        try workflow.crawl("page", crawl) { $0.depth }
        try workflow.start()
        await clock.waitForScheduled(after: .seconds(7))
        #expect(network.requests.count == 1)
        clock.advance(by: .seconds(7))
        try await workflow.run()
        #expect(network.requests.count == 2)
    }

    @Test("headers with credentials are sent to the sites of the starts only")
    func credentials() async throws {
        let other = try LoopbackServer()
        other.route("/robots.txt", .status(404))
        other.route("/x", .text("<p>x", type: "text/html"))
        page("/", links: other.url("/x").absoluteString)
        var crawl = crawl()
        crawl.load.headers["Authorization"] = "Bearer hush"
        #expect(try await paths(crawl) == ["/", "/x"])
        #expect(server.requests.allSatisfy { $0["Authorization"] == "Bearer hush" })
        #expect(other.requests.count == 2 && other.requests.allSatisfy { $0["Authorization"] == nil })
    }
}
