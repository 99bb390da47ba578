import Foundation
import Stepline
import Testing

@Suite("Decisions of a crawl", .timeLimit(.minutes(5)))
struct CrawlDecisionTests {
    private var crawl = Crawl(
        from: URL(string: "https://Site.example/start")!, agent: "notes-bot/1.0", atMost: 10)

    private func reason(_ text: String, depth: Int = 1, robots: RobotsRules? = nil) throws -> Crawl.Reason? {
        let url = try #require(URL(string: text))
        return switch crawl.decision(for: url, depth: depth, robots: robots) {
        case .load: nil
        case .skip(let reason): reason
        }
    }

    @Test("pages on the start's host are loaded, whatever scheme of the web and port")
    mutating func hosts() throws {
        let found = try [
            "https://site.example/a", "http://SITE.example:8080/a", "https://www.site.example/a",
            "ftp://site.example/a", "https://me:pw@site.example/a",
        ].map { try reason($0) }
        let expected: [Crawl.Reason?] = [nil, nil, .host, .scheme, .user]
        #expect(found == expected)
        crawl.hosts.insert("WWW.site.example")
        #expect(try reason("https://www.site.example/a") == nil)
    }

    @Test("depth, include and exclude limit the pages; a start needn't be included")
    mutating func limits() throws {
        crawl.maximumDepth = 2
        #expect(try reason("https://site.example/a", depth: 2) == nil)
        #expect(try reason("https://site.example/a", depth: 3) == .depth)
        crawl.include = ["/docs/", "*?keep"]
        crawl.exclude = ["*.pdf$", "/docs/old"]
        let found = try [
            ("docs/a", 1), ("x?keep=1", 1), ("other", 1), ("other", 0), ("docs/a.pdf", 1),
            ("docs/a.pdf?x", 1), ("docs/old/a", 0),
        ].map { path, depth in try reason("https://site.example/" + path, depth: depth) }
        let expected: [Crawl.Reason?] = [nil, nil, .excluded, nil, .excluded, nil, .excluded]
        #expect(found == expected)
    }

    @Test("a URL of endlessly many is a trap")
    mutating func traps() throws {
        let long = String(repeating: "x", count: 1_979)
        let segments = (1...20).map(String.init).joined(separator: "/")
        let found = try [long, long + "x", segments, segments + "/21", "a/b/a/b/a", "a/b/a/b/a/%61"].map {
            try reason("https://site.example/" + $0)
        }
        let expected: [Crawl.Reason?] = [nil, .tooLong, nil, .tooManySegments, nil, .repeatedSegments]
        #expect(found == expected)
        crawl.traps.mostRepeats = 4
        #expect(try reason("https://site.example/a/b/a/b/a/%61") == nil)
    }

    @Test("robots.txt is obeyed unless the crawl says otherwise")
    mutating func robots() throws {
        let rules = RobotsRules(Data("User-agent: notes-bot\nDisallow: /private".utf8), agent: crawl.agent)
        #expect(try reason("https://site.example/private/a", robots: rules) == .robots)
        #expect(try reason("https://site.example/a", robots: rules) == nil)
        #expect(try reason("https://site.example/private/a") == nil, "the rules aren't known")
        crawl.obeysRobots = false
        #expect(try reason("https://site.example/private/a", robots: rules) == nil)
    }

    @Test("an invalid setting is named")
    func settings() throws {
        func message(_ change: (inout Crawl) -> Void, from start: String = "https://site.example/") throws
            -> String?
        {
            var crawl = Crawl(from: try #require(URL(string: start)), agent: "notes-bot", atMost: 10)
            change(&crawl)
            do {
                try crawl.check()
                return nil
            } catch {
                #expect(error.code == .invalidOption)
                return error.description
            }
        }
        #expect(try message { _ in } == nil)
        #expect(try message { $0.limit = 0 } == "limit expects 1 or more, got 0")
        #expect(try message { $0.maximumDepth = -1 }?.contains("maximumDepth") == true)
        #expect(try message { $0.delay = .seconds(-1) }?.contains("delay") == true)
        #expect(try message { $0.exclude = ["x"] }?.contains("\"x\"") == true)
        #expect(try message({ _ in }, from: "ftp://site.example/")?.contains("http") == true)
        let secret = try message({ _ in }, from: "http://me:hush@site.example/")
        #expect(secret?.contains("Authorization") == true && secret?.contains("hush") == false)
        #expect(try message { $0 = Crawl(from: [], agent: "a", atMost: 1) }?.contains("start") == true)
        #expect(
            try message { $0 = Crawl(from: $0.starts, agent: " /", atMost: 1) }?.contains("agent") == true)
        #expect(
            try message { $0 = Crawl(from: $0.starts, agent: "a\nb", atMost: 1) }?.contains("agent") == true)
        let browser = try message {
            $0 = Crawl(from: $0.starts, agent: "Mozilla/5.0 (compatible; notes-bot/1.0)", atMost: 1)
        }
        #expect(browser?.contains("Mozilla") == true)
        #expect(
            try message { $0 = Crawl(from: $0.starts, agent: "a", atMost: 0) }?.contains("atMost") == true)
    }
}
