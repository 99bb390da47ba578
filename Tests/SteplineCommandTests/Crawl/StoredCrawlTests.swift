import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("stepline crawl --store", .timeLimit(.minutes(5)))
struct StoredCrawlTests {
    private let folder: TemporaryFolder
    private let site: CrawlSite

    init() throws {
        folder = try TemporaryFolder()
        site = try CrawlSite(30)
    }

    private func crawl(_ words: String..., to file: String? = "pages.jsonl") async throws -> CommandResult {
        try await Command.run(
            ["crawl", site.start, "--store", "c.runs", "--select", "title, h1", "--jobs", "4"]
                + (file.map { ["--to", $0] } ?? []) + words, in: folder.url)
    }

    @Test("the same command with a higher limit goes on, and loads and writes no page twice")
    func extended() async throws {
        let first = try await crawl("--at-most", "9")
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.complaints.contains { $0.contains("--at-most: the crawl has found more than 9 loads") })
        let begun = try folder.text("pages.jsonl")
        #expect(site.server.requests.count == 10)
        let second = try await crawl()
        #expect(second.status == 0 && !second.errors.contains("--at-most"), "\(second.errors)")
        #expect(try folder.text("pages.jsonl").hasPrefix(begun))
        #expect(try folder.sortedLines("pages.jsonl") == site.rows())
        #expect(site.requests.values.allSatisfy { $0 == 1 })
        let third = try await crawl()
        #expect(third.status == 0 && third.errors.contains("kept of crawl/\(site.start): "))
        #expect(try folder.sortedLines("pages.jsonl") == site.rows())
        #expect(site.requests.values.allSatisfy { $0 == 1 })
    }

    @Test("a finished crawl is written to another file, in another format and to stdout without a load")
    func rewritten() async throws {
        #expect(try await crawl().status == 0)
        let count = site.server.requests.count
        #expect(try await crawl(to: "pages.csv").status == 0)
        #expect(try folder.sortedLines("pages.csv") == site.rows("csv") + ["url,title,h1\r"])
        for _ in 1...2 {
            let output = try await crawl(to: nil)
            #expect(output.output.filledLines.sorted() == site.rows())
        }
        #expect(site.server.requests.count == count)
    }

    @Test("a finished crawl with a damaged result ends with an error instead of without rows")
    func damaged() async throws {
        let server = try LoopbackServer()
        server.route("/robots.txt", .status(404))
        server.route("/", .text("<a href=/a>a</a>", type: "text/html"))
        // Long enough for a file of its own.
        let long = String(repeating: "x", count: 200_000)
        server.route("/a", .text("<h1>\(long)</h1>", type: "text/html"))
        let words = ["crawl", server.url().absoluteString, "--store", "c.runs", "--select", "h1"]
        #expect(try await Command.run(words, in: folder.url).status == 0)
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.url.appending(path: "c.runs-blobs"), includingPropertiesForKeys: nil)
        #expect(files.count == 1)
        for file in files { try Data(repeating: 0, count: Data(contentsOf: file).count).write(to: file) }
        let result = try await Command.run(words, in: folder.url)
        #expect(result.status == 1 && result.data.isEmpty, "\(result.errors)")
        #expect(result.errors.contains("page[\(server.url("/a"))]"), "\(result.errors)")
    }

    @Test("a file that a kill has cut off at any byte gets each row once", arguments: ["jsonl", "csv"])
    func cutOff(_ format: String) async throws {
        let name = "pages.\(format)"
        #expect(try await crawl(to: name).status == 0)
        let whole = try Data(contentsOf: folder.url.appending(path: name))
        let rows = try folder.sortedLines(name)
        var random = StableRandom(seed: Chance.seed)
        let cuts =
            [0, 1, 12, whole.count - 1] + (0..<8).map { _ in Int.random(in: 0..<whole.count, using: &random) }
        for cut in cuts {
            try whole.prefix(cut).write(to: folder.url.appending(path: name))
            let result = try await crawl(to: name)
            #expect(result.status == 0, "\(cut): \(result.errors)")
            #expect(try folder.sortedLines(name) == rows, "\(cut)")
        }
    }

    @Test(
        "a file whose lines aren't rows of the crawl is refused unchanged, and replaced with --force",
        arguments: [
            ("notes\n", 1), ("notes", 1), ("url,title\r\n", 1), ("\n", 1), ("\u{0}\u{0}", 1),
            ("ROWS{\"url\":\"http://far.example/\"}\n", 31), ("ROWS{\"u", 31), ("ROWSROWS", 31),
        ])
    func foreign(_ text: String, line: Int) async throws {
        #expect(try await crawl().status == 0)
        let text = text.replacing("ROWS", with: try folder.text("pages.jsonl"))
        try Data(text.utf8).write(to: folder.url.appending(path: "pages.jsonl"))
        let requests = site.server.requests.count
        let refused = try await crawl("--at-most", "100")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("pages.jsonl: line \(line) is no row of crawl/"), "\(refused.errors)")
        #expect(try folder.text("pages.jsonl") == text && site.server.requests.count == requests)
        #expect(try await crawl("--force").status == 0)
        #expect(try folder.sortedLines("pages.jsonl") == site.rows())
    }

    @Test("a CSV file without its header is refused: no header belongs between rows")
    func missingHeader() async throws {
        #expect(try await crawl(to: "pages.csv").status == 0)
        let rows = try folder.text("pages.csv").replacing("url,title,h1\r\n", with: "")
        try Data(rows.utf8).write(to: folder.url.appending(path: "pages.csv"))
        let refused = try await crawl(to: "pages.csv")
        #expect(refused.status == 2 && refused.errors.contains("pages.csv: line 1 is no row of"))
        #expect(try folder.text("pages.csv") == rows)
    }

    @Test("without a store a file isn't continued: an existing one is replaced only with --force")
    func noStore() async throws {
        try Data("mine".utf8).write(to: folder.url.appending(path: "pages.jsonl"))
        let words = ["crawl", site.start, "--select", "title, h1", "--to", "pages.jsonl"]
        let refused = try await Command.run(words, in: folder.url)
        #expect(refused.status == 2 && refused.errors.contains("--force overwrites it"))
        #expect(try folder.text("pages.jsonl") == "mine" && site.server.requests.isEmpty)
        #expect(try await Command.run(words + ["--force"], in: folder.url).status == 0)
        #expect(try folder.sortedLines("pages.jsonl") == site.rows())
    }

    @Test(
        "other pages or columns under the same key are refused with the options of the first command",
        arguments: [
            ["--select", "title"], ["--depth", "3"], ["--exclude", "/2"], ["--include", "/2"],
            ["--hosts", "b.example"], ["--sitemap"], ["--agent", "x"], ["--ignore-robots", "--agent", "x"],
        ])
    func otherOptions(_ words: [String]) async throws {
        let usual = ["crawl", site.start, "--store", "c.runs", "--key", "k"]
        #expect(
            try await Command.run(usual + ["--at-most", "1", "--quiet"], in: folder.url).errors.isEmpty)
        let refused = try await Command.run(usual + words, in: folder.url)
        #expect(refused.status == 2 && site.server.requests.count == 2)
        #expect(refused.errors.contains("crawl/k was begun as: stepline crawl \(site.start); give"))
        let other = usual.dropLast() + ["other", "--at-most", "1"] + words
        #expect(try await Command.run(Array(other), in: folder.url).status == 0)
        let allowed = usual + ["--at-most", "2", "--delay", "1ms", "--jobs", "2", "--retries", "0"]
        #expect(try await Command.run(allowed, in: folder.url).status == 0)
    }
}
