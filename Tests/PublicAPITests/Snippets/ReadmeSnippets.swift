import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What README goes on from, compiled and run. `SnippetTests` holds the two texts against each other.

struct CountWords: StepBody {
    func process(_ text: String) -> [String: Int] {
        text.split(whereSeparator: \.isWhitespace).reduce(into: [:]) { $0[String($1), default: 0] += 1 }
    }
}

extension ContentKey where Value == Int {
    static var total: Self { .init("total") }
}

@Suite("README", .timeLimit(.minutes(5)))
struct ReadmeSnippets {
    @Test("the first chain")
    func firstChain() async throws {
        let server = try LoopbackServer()
        server.route("/words.txt", inTurn: [.status(503), .text("one two three")])
        let url = server.url("/words.txt")
        let count = try await Pipeline.run {
            URLLoadStep(url).retrying(.exponential(attempts: 4))
            BlockStep { (page: Data) in String(decoding: page, as: UTF8.self) }
            BlockStep { (text: String) in text.split(separator: " ").count }
        }
        #expect(count == 3)
    }

    @Test("loading and parsing")
    func loadAndParse() async throws {
        let server = try LoopbackServer()
        server.route("/books", .text(#"{"books": [{"price": 7}, {"price": 12}]}"#))
        server.route("/feed.xml", .text("<rss/>"))
        do {
            let url = server.url("/feed.xml")
            let feed = try await Pipeline.loadingXML(url).run()
            #expect(feed.root.name == "rss")
        }
        let (url, loading) = (server.url("/books"), LoadOptions())
        let prices = Pipeline("prices", options: .init(retry: .exponential(attempts: 4))) {
            URLLoadStep(url, options: loading)
            JSONParseStep()
            JSONQueryStep("$.books[*].price")
            BlockStep { (prices: [JSON]) in prices.compactMap(\.double).reduce(0, +) }
        }
        #expect(try await prices.run() == 19)
    }

    @Test("a step of one's own, and a key of one's own")
    func ownStep() async throws {
        let words = Pipeline("words") {
            FileLoadStep(URL(filePath: "Fixtures/words.txt"))
            BlockStep { (bytes: Data) in String(decoding: bytes, as: UTF8.self) }
            CountWords()
            BlockStep(to: .total) { (counts: [String: Int]) in counts.values.reduce(0, +) }
        }
        let total = try await words.run()
        #expect(total == 9)
        #expect(
            words.content?.bodyObject as? [String: Int] == [
                "the": 3, "step": 2, "and": 2, "next": 1, "end": 1,
            ])
    }

    /// Shows what it is told, on whatever thread.
    private final class Screen: Sendable {
        let shown = Recorder<String>()
        func show(_ text: String) { shown.record(text) }
    }

    @Test("a failure, as it is printed")
    func failure() async throws {
        let screen = Screen()
        let options = PipelineOptions(retry: .exponential(attempts: 4), deadline: .seconds(60))
        let report = Pipeline("report", options: options) {
            FileLoadStep(URL(filePath: "Fixtures/words.txt"))
            JSONParseStep().named("parse").retrying(.none)
            BlockStep { (json: JSON) in json.description }.timeout(.seconds(5))
        }
        report.onFailure(on: .main) { error in print(error) }
        report.onSuccess(on: .main, for: screen) { text in screen.show(text) }
        try report.start()
        guard case .failure(let error as PipelineError) = await report.outcome() else {
            Issue.record("it should have failed")
            return
        }
        #expect(try documentedText(of: "README.md").contains("\n\(error)\n"))
        #expect(screen.shown.values.isEmpty)
    }

    @Test("a workflow of pipelines, and a picture of it")
    func workflow() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "readme-\(UUID().uuidString).html")
        defer { try? FileManager.default.removeItem(at: file) }
        let workflow = Workflow("words", options: .init(keptAttempts: 8))
        let counts = try workflow.addPipeline("count") {
            FileLoadStep(URL(filePath: "Fixtures/words.txt"))
            BlockStep { (bytes: Data) in String(decoding: bytes, as: UTF8.self) }
            CountWords()
        }
        let total = try workflow.add("total", after: counts) { counts in counts.values.reduce(0, +) }
        let often = try workflow.add("often", after: counts) { counts in
            counts.filter { $0.value > 1 }.count
        }
        let share = try workflow.add("share", after: often, total) { often, total in
            Double(often) / Double(total)
        }
        try await workflow.run()
        print(share.result ?? 0)
        try workflow.picture(as: .html).write(to: file, atomically: true, encoding: .utf8)
        #expect(try #require(share.result) > 0 && #require(total.result) > 0)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("share"))
    }

    @Test("requests through one door")
    func door() async throws {
        let server = try LoopbackServer()
        server.route("/a", inTurn: [.status(503), .text("hei")])
        let url = server.url("/a")
        let urls = URLTaskManager(
            interceptors: [
                .adapting { request in request.setValue("nb", forHTTPHeaderField: "Accept-Language") }
            ],
            reactors: [.retrying(attempts: 3)])
        let reply = try await urls.data(from: url)
        #expect(reply.data == Data("hei".utf8))
        #expect(server.requests.map { $0["Accept-Language"] } == ["nb", "nb"])
    }

    @Test("JSON and XML without a pipeline")
    func parsers() throws {
        let text = #"{"books": [{"title": "Emma", "price": 7}, {"title": "Ulysses", "price": 12}]}"#
        let store = try JSON(parsing: text)
        let cheap = try store.query("$.books[?@.price < 10].title")

        let page = try XML.Document(string: "<list><item id='1'>one</item><item id='2'>two</item></list>")
        let second = try page.query(.first("//item[@id = 2]"))?.text
        #expect(cheap.compactMap(\.string) == ["Emma"])
        #expect(second == "two")
    }
}
