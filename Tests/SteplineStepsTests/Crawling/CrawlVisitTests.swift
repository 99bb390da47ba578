import Foundation
import SteplineJSON
import Testing

@testable import SteplineSteps

@Suite("The stored form of a crawl's visits", .timeLimit(.minutes(1)))
struct CrawlVisitTests {
    @Test(
        "the bytes are those of a JSON encoder, and are read back as an equal visit",
        arguments: ["https://example.com/a?b=%22&c=%5C", #"a"b\c"#, "a\u{0}b", "ü\u{1F600}", ""],
        ["start", "page", "canonical", "duplicate", "sitemap"])
    func stored(url: String, kind: String) throws {
        let text = try JSON(members: [
            (key: "url", value: JSON(url)), (key: "depth", value: 3), (key: "kind", value: JSON(kind)),
        ]).data()
        let visit = try JSONDecoder().decode(CrawlVisit.self, from: text)
        let bytes = visit.jsonBytes()
        #expect(visit.url == url && visit.depth == 3 && visit.kind.rawValue == kind)
        #expect(try JSONDecoder().decode(CrawlVisit.self, from: bytes) == visit)
        #expect(try JSON(parsing: bytes) == JSON(parsing: JSONEncoder().encode(visit)))
        #expect(visit.via == nil)
    }

    @Test("the redirects that led to a visit are stored")
    func redirects() throws {
        let url = try #require(URL(string: "https://example.com/a"))
        let visit = CrawlVisit(url, depth: 0, .page, via: ["https://example.com/\"b", "c"])
        let bytes = visit.jsonBytes()
        #expect(try JSONDecoder().decode(CrawlVisit.self, from: bytes) == visit)
        #expect(try JSON(parsing: bytes) == JSON(parsing: JSONEncoder().encode(visit)))
    }
}
