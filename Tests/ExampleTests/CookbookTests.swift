import Foundation
import SteplineTesting
import Testing

@testable import Cookbook

/// Runs every recipe, and compares what it prints with what the page says.
@Suite("Cookbook", .timeLimit(.minutes(5)))
struct CookbookTests {
    private let page: CookbookPage
    private let server: LoopbackServer
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "cookbook-\(UUID().uuidString)")

    init() throws {
        page = try CookbookPage()
        server = try LoopbackServer()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Holds what a recipe prints against the page, and cleans up.
    private func expect(_ recipe: String, _ cook: (@escaping Print) async throws -> Void) async throws {
        let lines = Recorder<String>()
        try await cook { lines.record($0) }
        let printed = lines.values.joined(separator: "\n")
        let shown = try page.output(of: recipe)
        #expect(printed == shown, "\(recipe)")
        try? FileManager.default.removeItem(at: folder)
    }

    /// A file in the test's folder.
    private func write(_ text: String, to name: String) throws -> URL {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }

    private let feed = """
        <rss version="2.0"><channel><title>Pancake News</title>
        <item><title>Batter prices rise</title><pubDate>Sat, 21 Nov 2026 09:30:00 GMT</pubDate></item>
        <item><title>The thin ones are back</title><pubDate>Fri, 20 Nov 2026 18:00:00 GMT</pubDate></item>
        <item><title>A pan is born</title></item></channel></rss>
        """

    @Test("the page has every recipe of the command, once, in its order")
    func allThere() {
        #expect(page.recipes.map(\.name) == Cookbook.recipes.map(\.name))
        #expect(page.recipes.count == 21)
    }

    @Test("the command lists the recipes, runs one by name, and prints its usage")
    func command() async throws {
        let command = try BuiltExample("Cookbook")
        let list = try await command.run([])
        #expect(list.status == 0 && list.output.contains("  parse-a-feed URL\n"))
        let known = try await command.run(["join-results"])
        #expect(try known.status == 0 && known.output == page.output(of: "join-results") + "\n")
        let short = try await command.run(["parse-a-feed"])
        #expect(short.status == 64 && short.output == "usage: Cookbook parse-a-feed URL\n")
        #expect(try await command.run(["boil-water"]).status == 64)
    }

    // MARK: Loading

    @Test func parseAFeed() async throws {
        server.route("/feed", .text(feed, type: "application/rss+xml"))
        try await expect("parse-a-feed") { try await ParseAFeed.run(server.url("/feed"), print: $0) }
    }

    @Test func loadAThousand() async throws {
        for number in 0..<1000 { server.route("/\(number)", .text("page")) }
        for number in stride(from: 0, to: 1000, by: 100) {
            server.route("/\(number)", inTurn: [.status(503), .text("late")])
        }
        server.route("/404", .status(404))
        server.route("/410", .status(410))
        let urls = (0..<1000).map { server.url("/\($0)") }
        try await expect("load-a-thousand") { try await LoadAThousand.run(urls, print: $0) }
    }

    @Test func findDependencies() async throws {
        for (name, needs) in [
            ("pancake", #""egg", "flour""#), ("egg", #""hen""#), ("hen", #""egg""#), ("flour", ""),
        ] {
            server.route("/\(name)", .text("{\"name\": \"\(name)\", \"needs\": [\(needs)]}"))
        }
        try await expect("find-dependencies") {
            try await FindDependencies.run(server.url(), "pancake", print: $0)
        }
        #expect(server.requests.count == 4)
    }

    @Test func crawlASite() async throws {
        func page(_ title: String, _ links: String...) -> LoopbackResponse {
            let body = links.map { "<a href=\"\($0)\">x</a>" }.joined()
            return .text("<title>\(title)</title><body>\(body)</body>", type: "text/html")
        }
        server.route("/robots.txt", .text("User-agent: *\nDisallow: /kitchen"))
        server.route("/", page("Pancakes", "/thin", "/thick", "/kitchen"))
        server.route("/thin", page("The thin ones", "/"))
        server.route("/thick", page("The thick ones", "thin#top"))
        try await expect("crawl-a-site") {
            try await CrawlASite.run(server.url(), file: folder.appending(path: "crawl.runs"), print: $0)
        }
        #expect(server.requests.count == 4)
    }

    @Test func sendAForm() async throws {
        server.route("/token", .text("fresh"))
        server.route("/orders", method: "POST") { request in
            guard request["Authorization"] == "Bearer fresh" else { return .status(401) }
            return .text("ordered: \(String(decoding: request.body, as: UTF8.self))")
        }
        try await expect("send-a-form") { try await SendAForm.run(server.url(), print: $0) }
    }

    @Test func convertCSV() async throws {
        let csv = try write(
            "name,note\r\nAda,\"first, of course\"\r\nGrace,\"a \"\"bug\"\"\"\r\n", to: "in.csv")
        let lines = folder.appending(path: "out.jsonl")
        try await expect("convert-csv") { print in
            try ConvertCSV.run(csv, to: lines, print: print)
            print(try String(contentsOf: lines, encoding: .utf8).trimmingCharacters(in: .newlines))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        }
    }

    @Test func showProgress() async throws {
        for number in 1...4 { server.route("/\(number)", .pattern(count: 1000)) }
        let urls = (1...4).map { server.url("/\($0)") }
        try await expect("show-progress") { try await ShowProgress.run(urls, draw: $0) }
    }

    @Test func readPages() async throws {
        server.route("/cities") { request in
            request.query == "page=2"
                ? .text(#"{"items": [{"name": "Lima", "people": 10092000}]}"#)
                : .text(
                    #"{"items": [{"name": "Oslo", "people": 709000}, {"name": "Kyoto", "people": 1464000}]}"#
                )
                .header("Link", #"</cities?page=2>; rel="next""#)
        }
        try await expect("read-pages") { try await ReadPages.run(server.url("/cities"), print: $0) }
    }

    @Test func bePolite() async throws {
        for name in ["a", "b"] {
            server.route("/\(name)", .text("page \(name)").header("Cache-Control", "max-age=3600"))
        }
        let urls = ["a", "b", "a"].map { server.url("/\($0)") }
        try await expect("be-polite") { try await BePolite.run(urls, folder: folder, print: $0) }
        #expect(server.requests.count == 2)
    }

    // MARK: In programs

    @Test func feedModel() async throws {
        server.route("/feed", .text(feed, type: "application/rss+xml"))
        server.route("/none", .status(404))
        try await expect("feed-model") { print in
            let model = await FeedModel()
            await model.load(server.url("/feed"))
            for title in await model.titles { print(title) }
            await model.load(server.url("/none"))
            print(await model.problem ?? "")
        }
    }

    @Test func answerRequests() async throws {
        server.route("/page", .text("good morning"))
        server.route("/slow", .text("x").fault(.silence))
        try await expect("answer-requests") { print in
            try await AnswerRequests.run(
                server.url("/page"), slow: server.url("/slow"),
                clientLeaves: { await server.waitForRequests(2) }, print: print)
        }
        await server.waitForClosedConnections()
    }

    @Test func testRetries() async throws {
        try await expect("test-retries") { try await TestRetries.run(print: $0) }
    }

    // MARK: Parts of one's own

    @Test func writeAStep() async throws {
        let log = try write("error: no milk\nall well\nerror: no eggs\n", to: "log")
        try await expect("write-a-step") { try await WriteAStep.run(log, print: $0) }
    }

    @Test func interceptRequests() async throws {
        server.route("/book") { .text("hello, \($0["X-Reader"] ?? "nobody")") }
        try await expect("intercept-requests") {
            try await InterceptRequests.run(server.url("/book"), print: $0)
        }
        #expect(server.requests.count == 1)
    }

    @Test func writeATransport() async throws {
        let url = try #require(URL(string: "https://example.invalid/cities"))
        try await expect("write-a-transport") { try await WriteATransport.run(url, print: $0) }
    }

    // MARK: Graphs

    @Test func joinResults() async throws {
        try await expect("join-results") { try await JoinResults.run(print: $0) }
    }

    @Test func waitForConsent() async throws {
        try await expect("wait-for-consent") { try await WaitForConsent.run(answer: true, print: $0) }
    }

    @Test func shareALimit() async throws {
        try await expect("share-a-limit") { try await ShareALimit.run(print: $0) }
    }

    @Test func resumeAfterAKill() async throws {
        server.route("/prices", .text("1 2 3"))
        server.route("/invoices", inTurn: [.text("x").fault(.silence), .text("paid")])
        try await expect("resume-after-a-kill") { print in
            try await ResumeAfterAKill.run(
                server.url(), file: folder.appending(path: "nightly.runs"),
                kill: { await server.waitForRequests(2) }, print: print)
        }
        #expect(server.requests.map(\.path) == ["/prices", "/invoices", "/invoices"])
    }

    @Test func liveWithFailures() async throws {
        server.route("/article", .text("On pancakes"))
        server.route("/quotes", .status(500))
        try await expect("live-with-failures") { try await LiveWithFailures.run(server.url(), print: $0) }
    }

    @Test func watchARun() async throws {
        let picture = folder.appending(path: "run.html")
        try await expect("watch-a-run") { print in
            try await WatchARun.run(picture: picture, print: print)
            #expect(try String(contentsOf: picture, encoding: .utf8).contains("copy"))
        }
    }
}
