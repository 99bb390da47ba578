import Foundation
import Stepline
import SteplineTesting
import Testing

// What README shows, compiled and run. `SnippetTests` holds the two texts against each other, line by line.

struct City: Decodable {
    let name: String
    let population: Int
}

final class CountWords: BasicStep<String, [String: Int]>, @unchecked Sendable {
    override func process(_ text: String) -> [String: Int] {
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
        server.route("/paris.json", .text(#"{"name": "Paris", "population": 2102650}"#))
        let url = server.url("/paris.json")
        let city = try await Pipeline.run {
            URLLoadStep(url)
            JSONDecodeStep<City>()
        }
        #expect(city.name == "Paris")
        #expect(city.population == 2_102_650)
    }

    @Test("loading and parsing")
    func loadAndParse() async throws {
        let server = try LoopbackServer()
        server.route("/books", .text(#"{"books": [{"price": 7}, {"price": 12}]}"#))
        server.route("/feed.xml", .text("<rss/>"))
        do {
            let url = server.url("/feed.xml")
            let feed = try await Pipeline.loadingXML(url).run(returning: XML.Document.self)
            #expect(feed.root.name == "rss")
        }
        let (url, loading) = (server.url("/books"), LoadOptions())
        let prices = Pipeline("prices", options: .init(retry: .exponential(attempts: 4))) {
            URLLoadStep(url, options: loading)
            JSONParseStep()
            JSONQueryStep("$.books[*].price")
            BlockStep { (prices: [JSON]) in prices.compactMap(\.double).reduce(0, +) }
        }
        #expect(try await prices.run(returning: Double.self) == 19)
    }

    @Test("a step of one's own, and a key of one's own")
    func ownStep() async throws {
        let words = Pipeline("words") {
            FileLoadStep(URL(filePath: "Fixtures/words.txt"))
            BlockStep { (bytes: Data) in String(decoding: bytes, as: UTF8.self) }
            CountWords()
            BlockStep(to: .total) { (counts: [String: Int]) in counts.values.reduce(0, +) }
        }
        let total = try await words.run(returning: .total)
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
        let options = PipelineOptions(retry: .exponential(attempts: 4), timeout: .seconds(60))
        let report = Pipeline("report", options: options) {
            FileLoadStep(URL(filePath: "Fixtures/words.txt"))
            JSONParseStep().named("parse").retrying(.none)
            BlockStep { (json: JSON) in json.description }.timeout(.seconds(5))
        }
        report.onFailure(on: .main) { _, error in print(error) }
        report.onSuccess(for: screen, on: .main) { _, text in screen.show(text as? String ?? "") }
        try report.start()
        guard case .failed(let error) = await report.outcome() else {
            Issue.record("it should have failed")
            return
        }
        #expect(try documentedText(of: "README.md").contains("\n\(error)\n"))
        #expect(screen.shown.values.isEmpty)
    }

    @Test("a workflow of tasks whose results are joined")
    func workflow() async throws {
        @Sendable func load(_ name: String) async throws -> String { "<\(name)>" }
        let workflow = Workflow("report")
        let left = try workflow.add("left") { () async throws in try await load("left") }
        let right = try workflow.add("right") { () async throws in try await load("right") }
        let joined = try workflow.add("join", after: left, right) { left, right in left + right }
        try await workflow.run()
        print(joined.result ?? "")
        #expect(joined.result == "<left><right>")
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
