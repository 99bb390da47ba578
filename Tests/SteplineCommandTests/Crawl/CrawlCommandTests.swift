import Foundation
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

@Suite("stepline crawl", .timeLimit(.minutes(5)))
struct CrawlCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func crawl(_ words: String..., jobs: String = "4") async throws -> CommandResult {
        try await Command.run(
            ["crawl", "--jobs", jobs, "--retries", "0"] + words, in: folder.url)
    }

    private func lines(_ result: CommandResult) -> [String] {
        result.output.split(separator: "\n").map(String.init).sorted()
    }

    /// A server with pages of which each links to the next ones.
    private func server(_ pages: (path: String, html: String)...) throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.route("/robots.txt", .status(404))
        for page in pages { server.route(page.path, .text(page.html, type: "text/html; charset=utf-8")) }
        return server
    }

    @Test("each page has one line of JSON on stdout; redirects, missing pages and other files have none")
    func jsonLines() async throws {
        let site = try CrawlSite(40)
        let result = try await crawl(site.start, "--select", "title, h1")
        #expect(result.status == 0, "\(result.errors)")
        #expect(lines(result) == site.rows())
        #expect(site.requests.values.allSatisfy { $0 == 1 })
        #expect(result.errors.contains(/pages done, 0 queued in .* pages\/s/))
        #expect(try await crawl(site.start, "--quiet").errors.isEmpty)
        #expect(
            site.server.requests.allSatisfy { $0["User-Agent"] == "stepline/1.0.0" })
    }

    @Test("the name of the file decides for CSV, whose first line has the names of the columns")
    func csv() async throws {
        let site = try CrawlSite(12)
        let result = try await crawl(site.start, "--select", "title", "-s", "h1", "--to", "pages.csv")
        #expect(result.status == 0 && result.data.isEmpty, "\(result.errors)")
        #expect(try folder.text("pages.csv").hasPrefix("url,title,h1\r\n"))
        #expect(try folder.sortedLines("pages.csv") == site.rows("csv") + ["url,title,h1\r"])
        let output = try await crawl(site.start, "--format", "csv", "--at-most", "1")
        #expect(output.output == "url,title\r\n\(site.start),Page 0\r\n")
        #expect(output.errors.contains("--at-most: the crawl has found more than 1 loads"))
    }

    @Test("columns are element names, XPaths anywhere in the page, functions, and paths with a name")
    func columns() async throws {
        let server = try server(
            (
                "/",
                """
                <title> a\tb </title><meta name=description content="c, d"><p class=x>one</p>
                <p class='y' id=2>t<b>w</b>o</p>
                """
            ))
        let result = try await crawl(
            server.url().absoluteString, "--select",
            "about=//meta[@name='description']/@content, p[@class='y'], count(//p), @id, h1, P,",
            "--select", #"both=concat(//p[1], ", ", //p[2])"#)
        #expect(result.status == 0, "\(result.errors)")
        let values = #"""
            "about":"c, d","p[@class='y']":"two","count(//p)":"2","@id":"2","h1":null,"P":"one","both":"one, two"}
            """#
        #expect(result.output == #"{"url":"\#(server.url())",\#(values)"# + "\n")
    }

    @Test(
        "a wrong command line is refused before anything is loaded",
        arguments: [
            ([], "URL… is missing"), (["ftp://x/"], "'ftp://x/' is no URL"),
            (["file:///etc/hosts"], "http or https"), (["data:text/html,x"], "http or https"),
            (["http://me:hush@127.0.0.1/"], "contains a user"),
            (["127.0.0.1:9", "--select", "h1, //p["], "--select: '//p[' is no XPath"),
            (["127.0.0.1:9", "--select", "h1, x=//b, h1"], "duplicate column 'h1'"),
            (["127.0.0.1:9", "--select", "url"], "duplicate column 'url'"),
            (["127.0.0.1:9", "--to", "pages.txt"], "neither .jsonl nor .csv"),
            (["127.0.0.1:9", "--to", "no/pages.csv"], "there is no folder"),
            (["127.0.0.1:9", "--to", "/dev/null", "--format", "csv"], "no regular file"),
            (["127.0.0.1:9", "--to", ".", "--format", "csv"], "that is a folder"),
            (["127.0.0.1:9", "--ignore-robots"], "--ignore-robots needs --agent"),
            (["127.0.0.1:9", "--agent", "/"], "agent expects a name"),
            (["127.0.0.1:9", "--hosts", "a.example, b/c"], "'b/c' is no name of a host"),
            (["127.0.0.1:9", "--include", "docs"], "a pattern begins with"),
            (["127.0.0.1:9", "--at-most", "0"], "--at-most needs"),
            (["127.0.0.1:9", "--key", "k"], "need --store"),
            (["127.0.0.1:9", "--store", "a.jsonl", "--to", "a.jsonl"], "that is the file of --store, too"),
        ] as [([String], String)])
    func refused(words: [String], message: String) async throws {
        let result = try await Command.run(["crawl"] + words, in: folder.url)
        #expect(result.status == 2 && result.complaints.count == 1, "\(result.errors)")
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(!result.errors.contains("hush"))
        #expect(try folder.names().isEmpty)
    }

    @Test("depth, patterns, hosts, sitemaps, robots.txt and the agent decide which pages are loaded")
    func choice() async throws {
        let other = try server(("/", "<title>other</title>"))
        let server = try server(
            ("/", "<title>/</title><a href=/a>a</a><a href=/private>p</a><a href='\(other.url())'>o</a>"),
            ("/a", "<title>/a</title><a href=/a/b>b</a>"), ("/a/b", "<title>/a/b</title>"),
            ("/private", "<title>/private</title>"), ("/mapped", "<title>/mapped</title>"))
        server.route(
            "/robots.txt",
            .text("Sitemap: \(server.url("/map.txt"))\nUser-agent: tester\nDisallow: /private\n"))
        server.route("/map.txt", .text("\(server.url("/mapped"))\n"))
        func titles(_ words: String...) async throws -> [String] {
            let result = try await Command.run(
                ["crawl", server.url().absoluteString, "--format", "csv"] + words, in: folder.url)
            #expect(result.status == 0, "\(result.errors)")
            return result.output.split(separator: "\r\n").dropFirst()
                .compactMap { $0.split(separator: ",").last.map(String.init) }.sorted()
        }
        #expect(try await titles("--agent", "tester/1") == ["/", "/a", "/a/b", "other"])
        #expect(server.requests.last?["User-Agent"] == "tester/1")
        #expect(
            try await titles("--agent", "tester", "--ignore-robots", "--depth", "1") == [
                "/", "/a", "/private", "other",
            ])
        #expect(try await titles("--exclude", "/a/", "--include", "/a") == ["/", "/a"])
        #expect(
            try await titles("--sitemap", "--exclude", "/a", "--exclude", "/private")
                == ["/", "/mapped", "other"])
        // The other server has the same host: ports don't count.
        server.route("/", .text("<title>/</title><a href='http://localhost:1/'>x</a>", type: "text/html"))
        #expect(try await titles() == ["/"])
        let both = try await crawl(
            server.url().absoluteString, "--hosts", "b.example, LOCALHOST", "--retries", "0")
        #expect(both.status == 1 && both.errors.contains("http://localhost:1/"), "\(both.errors)")
    }

    @Test("a failing page is one line and exit code 1; --retrying-failures loads only what has failed")
    func failures() async throws {
        let server = try server(
            ("/", "<title>/</title><a href=/bad>x</a><a href=/a>x</a>"), ("/a", "<title>/a</title>"))
        server.route("/bad", .status(500))
        let words = [server.url().absoluteString, "--store", "c.runs", "--to", "pages.jsonl"]
        let first = try await crawl(words[0], words[1], words[2], words[3], words[4])
        #expect(first.status == 1)
        let line = "stepline: GET \(server.url("/bad")): status 500"
        #expect(first.complaints.contains(line), "\(first.errors)")
        #expect(first.errors.contains("2 pages done, 0 queued, 1 failed in "))
        #expect(first.complaints.last?.contains("add --retrying-failures") == true)
        #expect(try folder.sortedLines("pages.jsonl").count == 2)
        let hint = try await Command.run(
            ["runs", "retry", server.url().absoluteString, "--store", "c.runs"], in: folder.url)
        #expect(
            hint.output.contains(
                "stepline crawl \(server.url()) --store c.runs --key \(server.url()) --retrying-failures"),
            "\(hint.output) \(hint.errors)")
        server.route("/bad", .text("<title>mended</title>", type: "text/html"))
        let again = try await crawl(
            words[0], words[1], words[2], words[3], words[4], "--retrying-failures")
        #expect(again.status == 0, "\(again.errors)")
        #expect(try folder.text("pages.jsonl").hasSuffix(#""title":"mended"}"# + "\n"))
        #expect(try folder.sortedLines("pages.jsonl").count == 3)
        #expect(server.requests.count { $0.target == "/a" } == 1)
    }

    @Test("a start that robots.txt disallows is a failure that says so")
    func badStart() async throws {
        let server = try server(("/", "<title>/</title>"))
        server.route("/robots.txt", .text("User-agent: *\nDisallow: /"))
        let result = try await crawl(server.url().absoluteString)
        #expect(result.status == 1 && result.data.isEmpty)
        #expect(
            result.complaints == [
                "stepline: \(server.url()): the crawl can't start here: robots.txt disallows the page"
            ])
    }
}
