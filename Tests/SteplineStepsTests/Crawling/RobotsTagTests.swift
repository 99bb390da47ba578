import Stepline
import SteplineTesting
import Testing

@Suite("X-Robots-Tag", .timeLimit(.minutes(5)))
struct RobotsTagTests {
    /// Returns whether a crawl uses a page with these fields.
    private func isUsed(_ tags: String...) async throws -> Bool {
        let server = try LoopbackServer()
        server.route("/robots.txt", .status(404))
        server.route("/", .text("<a href=/tagged>x</a>", type: "text/html"))
        var tagged = LoopbackResponse.text("<p>x", type: "text/html")
        for tag in tags { tagged.headers.add("X-Robots-Tag", tag) }
        server.route("/tagged", tagged)
        let workflow = Workflow()
        let crawl = Crawl(from: server.url(), agent: "notes-bot/1.0", atMost: 5)
        let rows = try workflow.crawl("page", crawl) { $0.depth }
        try await workflow.run()
        return try await rows.value == [0, 1] && server.requests.count == 3
    }

    @Test("a crawler's name counts within its own field only", .overCurl)
    func fields() async throws {
        #expect(try await isUsed("otherbot: none", "noindex") == false)
        #expect(try await isUsed("otherbot: none", "notes-bot: all"))
    }

    @Test("a time isn't taken for the name of another crawler")
    func times() async throws {
        let time = "unavailable_after: Saturday, 25-Jun-2030 15:00:00 UTC"
        #expect(try await isUsed("\(time), noindex") == false)
        #expect(try await isUsed("otherbot: \(time), noindex"))
    }
}
