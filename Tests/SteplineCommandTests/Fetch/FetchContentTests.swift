import Foundation
import SteplineTesting
import TestSupport
import Testing

/// The output of `stepline fetch` for different responses.
@Suite("fetch: content", .timeLimit(.minutes(5)))
struct FetchContentTests {
    private static let feed = """
        <rss version="2.0"><channel><title>News</title>
        <item><title>One</title><link>http://example.com/1</link><pubDate>Sat, 21 Nov 2026 12:00:00 GMT</pubDate></item>
        <item><title>Two &amp; a half</title><link>/2</link></item>
        </channel></rss>
        """
    private static let page = """
        <!doctype html><title>T</title><body><p>Hello <b>there</b><script>var x</script><a href="/a">A</a><a href=b>B
        """

    private static let jsonFeed = """
        {"version": "https://jsonfeed.org/version/1.1", "title": "Hills", "items": [
          {"id": "7", "title": "Up & away", "url": "/7", "date_published": "2026-11-21T12:00:00Z"}]}
        """

    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.route(
            "/city",
            .text(#"{"name":"Ü","items":[{"n":1,"t":"a\nb"},{"n":2.50,"t":"c"}]}"#, type: "application/json"))
        server.route("/list", .text(#"[1,"two",[3]]"#, type: "application/vnd.x+json; charset=utf-8"))
        server.route("/feed", .text(Self.feed, type: "application/rss+xml"))
        server.route("/plain-feed", .text(Self.feed, type: "text/xml"))
        server.route("/hills", .text(Self.jsonFeed, type: "application/feed+json"))
        server.route("/plain-hills", .text(Self.jsonFeed, type: "application/json"))
        server.route("/page", .text(Self.page, type: "text/html; charset=utf-8"))
        server.route("/xml", .text("<r a='1'><i>x</i><i>y<j/></i></r>", type: "application/xml"))
        server.route("/odd", .text("hello", type: "application/octet-stream"))
        server.route("/bad", .text(#"{"name": nope}"#, type: "application/json"))
        server.route("/untyped.json", .data(Data("[true]".utf8), type: "application/octet-stream"))
    }

    private func fetch(_ path: String, _ options: String...) async throws -> CommandResult {
        try await Command.run(["fetch", server.url(path).absoluteString] + options)
    }

    @Test("without options the bytes are written unchanged, and stderr is empty")
    func raw() async throws {
        let result = try await fetch("/bad")
        #expect(result.status == 0)
        #expect(result.output == #"{"name": nope}"#)
        #expect(result.errors.isEmpty)
        let explicit = try await fetch("/bad", "--raw")
        #expect(explicit.output == result.output)
    }

    @Test(
        "JSON by content type, ending or --json: selected, and written as text, JSON and JSON Lines",
        arguments: [
            ("/city", ["-s", "$.items[*].t"], "a\nb\nc\n"),
            (
                "/city", ["--select=$.items[*]", "--format", "text"],
                "{\"n\":1,\"t\":\"a\\nb\"}\n{\"n\":2.50,\"t\":\"c\"}\n"
            ),
            ("/city", ["-s", "$.items[*].n", "-f", "jsonl"], "1\n2.50\n"),
            ("/city", ["-s", "$..n", "-f", "json"], "[\n  1,\n  2.50\n]\n"),
            ("/city", ["-s", "$.none"], ""),
            ("/city", ["-s", "$.none", "-f", "json"], "[]\n"),
            ("/list", ["-f", "jsonl"], "1\n\"two\"\n[3]\n"),
            ("/untyped.json", ["-f", "jsonl"], "true\n"),
            ("/odd", ["--html", "-s", "string(//p)"], "hello\n"),
        ])
    func json(path: String, options: [String], output: String) async throws {
        let result = try await Command.run(["fetch", server.url(path).absoluteString] + options)
        #expect(result.output == output)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("XML and HTML: an XPath gives texts, a page its visible text, a document its tree")
    func markup() async throws {
        let tree = """
            {"name":"r","attributes":{"a":"1"},"children":[{"name":"i","children":["x"]},\
            {"name":"i","children":["y",{"name":"j"}]}]}

            """
        let cases: [(path: String, options: [String], output: String)] = [
            ("/xml", ["--select", "//i"], "x\ny\n"),
            ("/xml", ["--select", "count(//i)", "-f", "json"], "[\n  \"2\"\n]\n"),
            ("/page", ["--select", "//a/@href", "-f", "jsonl"], "\"/a\"\n\"b\"\n"),
            ("/page", ["-f", "text"], "Hello\nthere\nA\nB\n"), ("/xml", ["-f", "jsonl"], tree),
        ]
        for (path, options, output) in cases {
            let result = try await Command.run(["fetch", server.url(path).absoluteString] + options)
            #expect(result.output == output, "\(path) \(options): \(result.errors)")
        }
        #expect(try await fetch("/xml", "--xml").output.contains("<i>x</i>"))
    }

    @Test(
        "a feed is written as one line for each item; JSONPath selects from it, XPath from its XML",
        arguments: ["/feed", "/plain-feed"])
    func feeds(path: String) async throws {
        let text = try await fetch(path, "-f", "text").output
        let link = server.url("/2").absoluteString
        #expect(text == "2026-11-21T12:00:00Z\tOne\thttp://example.com/1\n-\tTwo & a half\t\(link)\n")
        #expect(try await fetch(path, "-f", "jsonl").output.split(separator: "\n").count == 2)
        #expect(try await fetch(path, "--feed", "-s", "$.items[*].title").output == "One\nTwo & a half\n")
        #expect(try await fetch(path, "-s", "//item/title").output == "One\nTwo & a half\n")
    }

    @Test("JSON Feed is a feed by its type or by --feed; a JSONPath selects from what is written")
    func jsonFeeds() async throws {
        let line = "2026-11-21T12:00:00Z\tUp & away\t\(server.url("/7").absoluteString)\n"
        #expect(try await fetch("/hills", "-f", "text").output == line)
        #expect(try await fetch("/plain-hills", "--feed", "-f", "text").output == line)
        #expect(try await fetch("/hills", "-s", "$.items[*].url").output == "/7\n")
        let link = try await fetch("/hills", "--feed", "-s", "$.items[*].link").output
        #expect(link == server.url("/7").absoluteString + "\n")
        #expect(try await fetch("/plain-hills", "-f", "jsonl").output.contains("date_published"))
    }

    @Test(
        "content that doesn't fit, or fails an XPath, is one line on stderr with the URL, and exit code 1",
        arguments: [
            ("/bad", ["--json"], "JSON: "),
            ("/odd", ["-f", "json"], "can't tell what it is (application/octet-stream)"),
            ("/city", ["-s", "//x"], "an XPath finds nothing in JSON"),
            ("/xml", ["-s", "count('a')"], ": --select: an argument or operand is of the wrong kind"),
            ("/page", ["-s", "$.x"], "a JSONPath finds nothing in html"), ("/odd", ["--xml"], ": XML 1:1: "),
            ("/xml", ["--feed"], "is the root of no feed"), ("/city", ["--feed"], "this JSON is no feed"),
            ("/nowhere", [], "status 404"),
        ])
    func mismatches(path: String, options: [String], cause: String) async throws {
        let result = try await Command.run(["fetch", server.url(path).absoluteString] + options)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.complaints.count == 1)
        let line = try #require(result.complaints.first)
        #expect(line.hasPrefix("stepline: ") && line.contains(server.url(path).absoluteString))
        #expect(line.contains(cause))
    }

    @Test(
        "invalid options are found before anything is fetched, with exit code 2",
        arguments: [
            (["--json", "--xml", "x"], "only one of"), (["--raw", "-f", "json", "x"], "--raw writes bytes"),
            (["--json", "-s", "//a", "x"], "use a JSONPath"), (["--html", "-s", "$.a", "x"], "use an XPath"),
            (["-s", "$.items[", "x"], "is no JSONPath: "), (["-s", "//a[", "x"], "is no XPath: "),
            ([], "URL is missing"), (["ftp://x/"], "is no URL that can be fetched"),
            (["http://"], "is no URL"),
            (["--out", "f", "a", "b"], "need a folder, not a file: --out f/"),
            (["--resume", "x"], "--resume needs --out"),
            (["--resume", "-f", "json", "-o", "f", "x"], "--resume is for bytes"),
            (["-H", "none", "x"], "--header needs 'NAME: VALUE'"),
            (["-d", "@/none", "x"], "/none can't be read"),
            (["-i", "/none"], "--input: /none can't be read"),
            (["--jobz", "3", "x"], "did you mean --jobs?"),
        ])
    func usage(words: [String], cause: String) async throws {
        let result = try await Command.run(["fetch"] + words)
        #expect(result.status == 2)
        #expect(result.complaints.count == 1 && result.errors.contains(cause), "\(result.errors)")
        #expect(result.errors.contains("(stepline fetch --help)"))
        #expect(result.output.isEmpty)
        #expect(server.requests.isEmpty)
    }
}
