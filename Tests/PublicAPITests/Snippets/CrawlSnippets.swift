import Foundation
import Stepline
import SteplineTesting
import Testing

// The snippets of "Crawl a site", compiled.

struct Row: Codable, Sendable {
    let url: URL
    let title: String?
}

func titles(of site: URL) async throws -> [Row] {
    var crawl = Crawl(from: site, agent: "notes-bot/1.0 (+https://example.com/bot)", atMost: 10_000)
    crawl.exclude = ["/search", "*.pdf$"]
    crawl.delay = .milliseconds(250)
    crawl.usesSitemaps = true
    let workflow = Workflow("crawl")
    let patient = TaskOptions(retry: .exponential(attempts: 3))
    let rows = try workflow.crawl("page", crawl, options: patient) { page in
        Row(url: page.url, title: page.html.title)
    }
    try await workflow.run()
    return try await rows.value
}

func links(of url: URL) async throws -> [URL] {
    let page = try await Pipeline.loadingHTML(url).run()
    guard let file = URL(string: "/robots.txt", relativeTo: url)?.absoluteURL else { return [] }
    let rules = RobotsRules(try await Pipeline.loading(file).run(), agent: "notes-bot")
    return page.links(at: url).filter { !$0.isNofollow && rules.allows($0.url) }.map(\.url.normalized)
}

@Suite("Snippets of Crawl a site", .timeLimit(.minutes(5)))
struct CrawlSnippetTests {
    @Test("the programs do as the guide says")
    func programs() async throws {
        let server = try LoopbackServer()
        server.route("/robots.txt", .text("User-agent: *\nDisallow: /private"))
        server.route(
            "/", .text("<title>Home</title><a href=/private>x</a><a href=#top>y</a>", type: "text/html"))
        #expect(try await titles(of: server.url()).map(\.title) == ["Home"])
        #expect(try await links(of: server.url()) == [server.url()])
        server.route("/docs/a", .text("<a href=/private>x</a><a href=b>y</a>", type: "text/html"))
        #expect(try await links(of: server.url("/docs/a")) == [server.url("/docs/b")])
    }
}
