import Foundation
import SteplineTesting
import TestSupport
import Testing

@Suite("The loopback server", .timeLimit(.minutes(5)))
struct ServerTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func answer(_ path: String, _ headers: String...) throws -> String {
        let client = try RawClient(port: server.port)
        client.send("GET \(path) HTTP/1.1\r\nConnection: close\r\n")
        client.send(headers.map { $0 + "\r\n" }.joined() + "\r\n")
        return client.read() ?? "reset"
    }

    private func body(_ answer: String) -> String {
        answer.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
    }

    private func status(_ answer: String) -> Int? {
        answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    @Test("Fixed and scripted routes, the later first; what has no route is 404")
    func routes() throws {
        server.route("/a", .text("first"))
        server.route("/a", .text("second"))
        server.route("/b", method: "POST", .text("posted"))
        server.route("/c") { .text("\($0.method) \($0.path) \($0.query ?? "") \($0["x-a"] ?? "")") }
        server.route("/d", inTurn: [.text("1"), .text("2")])
        #expect(body(try answer("/a")) == "second")
        #expect(status(try answer("/b")) == 404)
        #expect(body(try answer("/c?q=%20", "X-A: 7")) == "GET /c q=%20 7")
        #expect(try (0..<3).map { _ in body(try answer("/d")) } == ["1", "2", "2"])
        #expect(status(try answer("/nothing")) == 404)
        #expect(server.requests.count == 7)
    }

    @Test("Of a route for one path and one for a folder, the later answers, if it takes the method")
    func folderAndPath() throws {
        let folder = try TemporaryFolder()
        try Data("file".utf8).write(to: folder.url.appending(path: "a"))
        server.route("/in/a", .text("early"))
        server.serve(folder: folder.url, under: "/in/")
        #expect(body(try answer("/in/a")) == "file")
        server.route("/in/a", method: "POST", .text("posted"))
        #expect(body(try answer("/in/a")) == "file")
        server.route("/in/a", .text("late"))
        #expect(body(try answer("/in/a")) == "late")
    }

    @Test("Answers in turn are given once each, however many ask at the same time")
    func inTurn() throws {
        let texts = (0..<100).map { "\($0)" }
        server.route("/turn", inTurn: texts.map { .text($0) })
        let clients = try texts.map { _ in try RawClient(port: server.port) }
        for client in clients { client.send("GET /turn HTTP/1.1\r\nConnection: close\r\n\r\n") }
        let answers = clients.map { body($0.read() ?? "reset") }
        #expect(answers.sorted() == texts.sorted())
    }

    @Test("A connection is kept alive for request after request")
    func keepAlive() async throws {
        server.route("/a", .text("abc"))
        do {
            let client = try RawClient(port: server.port)
            for _ in 0..<3 {
                client.get("/a")
                let head = try #require(client.read(through: "\r\n\r\n"))
                #expect(head.contains("Content-Length: 3") && client.read(3) == "abc")
            }
            #expect(server.connectionCount == 1 && server.openConnections == 1)
            #expect(server.requests.map(\.connection) == [1, 1, 1])
        }
        await server.waitUntilClosed(connection: 1)
        #expect(server.openConnections == 0)
    }

    @Test("Chunked, unannounced and falsely announced bodies")
    func framings() throws {
        server.route("/c", .text("abcdef").chunked(of: 4))
        server.route("/u", .text("abc").untilClose())
        server.route("/f", .text("abc").announcing(length: 9))
        #expect(body(try answer("/c")) == "4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n")
        let unannounced = try answer("/u")
        #expect(body(unannounced) == "abc" && !unannounced.contains("Content-Length"))
        #expect(try answer("/f").contains("Content-Length: 9"))
    }

    @Test("Bodies of requests: announced, chunked, and after a 100-continue; long ones are only counted")
    func requestBodies() throws {
        let small = try LoopbackServer(recordedBodyLimit: 4)
        for one in [server, small] {
            let client = try RawClient(port: one.port)
            one.route("/p", .status(204))
            client.send("POST /p HTTP/1.1\r\nContent-Length: 6\r\n\r\nabcdef")
            #expect(client.read(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 204") == true)
            client.send(
                "POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=1\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n")
            #expect(client.read(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 204") == true)
            client.send("PUT /p HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n")
            #expect(client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            client.send("abcdef")
            #expect(client.read(through: "\r\n\r\n")?.hasPrefix("HTTP/1.1 204") == true)
            #expect(one.requests.map(\.bodyCount) == [6, 6, 6])
        }
        #expect(server.requests.map(\.body) == Array(repeating: Data("abcdef".utf8), count: 3))
        #expect(small.requests.map(\.body) == Array(repeating: Data("abcd".utf8), count: 3))
    }

    @Test("entity tags and dates answer 304 to conditional requests")
    func conditions() throws {
        let date = Date(timeIntervalSince1970: 784_111_777)
        server.route("/e", .text("abc").etag("\"v1\"").lastModified(date))
        #expect(try answer("/e").contains("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"))
        let same = try answer("/e", "If-None-Match: \"v0\", W/\"v1\"")
        #expect(status(same) == 304 && body(same) == "" && same.contains("ETag: \"v1\""))
        #expect(status(try answer("/e", "If-None-Match: \"v2\"")) == 200)
        #expect(status(try answer("/e", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT")) == 304)
    }

    @Test(
        "Ranges, with and without a validator",
        arguments: [
            ("bytes=2-4", 206, "cde"), ("bytes=4-", 206, "ef"), ("bytes=-2", 206, "ef"),
            ("bytes=4-99", 206, "ef"),
            ("bytes=6-", 416, ""), ("bytes=3-2", 416, ""), ("lines=1-2", 200, "abcdef"),
            ("bytes=0-1,3-4", 200, "abcdef"),
        ])
    func ranges(_ range: String, _ expected: Int, _ part: String) throws {
        server.route("/r", .text("abcdef").etag("\"v1\"").servingRanges())
        let got = try answer("/r", "Range: \(range)")
        #expect(status(got) == expected && body(got) == part)
        let matching = try answer("/r", "Range: \(range)", "If-Range: \"v1\"")
        #expect(status(matching) == expected)
        #expect(status(try answer("/r", "Range: \(range)", "If-Range: \"v2\"")) == 200)
        #expect(status(try answer("/r", "Range: \(range)", "If-Range: W/\"v1\"")) == 200)
    }

    @Test("Basic authentication and redirects")
    func authentication() throws {
        server.route("/a", user: "me", password: "hush", .text("in"))
        server.route("/r", .redirect(to: "/a", status: 301))
        server.routeEndlessRedirects("/round")
        let refused = try answer("/a")
        #expect(status(refused) == 401 && refused.contains("WWW-Authenticate: Basic realm=\"test\""))
        let credentials = Data("me:hush".utf8).base64EncodedString()
        #expect(body(try answer("/a", "Authorization: Basic \(credentials)")) == "in")
        #expect(try answer("/r").contains("Location: /a"))
        #expect(try answer("/round?7").contains("Location: /round?8"))
    }

    @Test("The files of a folder, and nothing outside it")
    func folder() throws {
        let folder = try TemporaryFolder()
        let inner = folder.url.appending(path: "in")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: inner.appending(path: "a.json"))
        try Data("secret".utf8).write(to: folder.url.appending(path: "secret"))
        server.serve(folder: inner, under: "/files/")
        let got = try answer("/files/a.json")
        #expect(body(got) == "{}" && got.contains("Content-Type: application/json") && got.contains("ETag: "))
        #expect(status(try answer("/files/a.json", "Range: bytes=0-0")) == 206)
        for path in [
            "/files/../secret", "/files/%2e%2e/secret", "/files/none", "/files/", "/files/a.json%00",
        ] {
            #expect(status(try answer(path)) == 404)
        }
    }

    @Test("Compressed bodies are what gzip makes of them")
    func gzip() throws {
        server.route("/g", LoopbackResponse.pattern(count: 200_000).gzipped())
        server.route("/empty", LoopbackResponse.status(200).gzipped())
        let client = try RawClient(port: server.port)
        client.get("/g", "Accept-Encoding: gzip")
        let head = try #require(client.read(through: "\r\n\r\n"))
        // Four stored blocks of 5 bytes more each, behind a head of 10 and before an end of 8.
        #expect(head.contains("Content-Encoding: gzip") && head.contains("Content-Length: \(200_000 + 38)"))
        #expect(try answer("/empty", "Accept-Encoding: gzip").contains("Content-Length: 23"))
    }

    @Test(
        "Bodies are compressed for requests that accept it, whatever the status",
        arguments: [
            ("gzip", true), ("deflate, GZIP;q=0.5", true), ("br, *;q=0.1", true), ("", false),
            ("identity", false), ("gzip; q=0.0, *", false), ("*;q=0", false),
        ])
    func accepted(_ codings: String, _ isPacked: Bool) throws {
        server.route("/g", LoopbackResponse.text("abc", status: 404).gzipped())
        let got = try answer("/g", "Accept-Encoding: \(codings)")
        #expect(status(got) == 404 && got.contains("Content-Encoding: gzip") == isPacked)
        #expect((body(got) == "abc") != isPacked)
        #expect(body(try answer("/g")) == "abc")
    }

    @Test("Parts are of the plain bytes, and what has no end isn't compressed")
    func uncompressed() throws {
        server.route("/r", LoopbackResponse.text("abcdef").servingRanges().gzipped())
        let part = try answer("/r", "Accept-Encoding: gzip", "Range: bytes=1-2")
        #expect(status(part) == 206 && body(part) == "bc" && !part.contains("Content-Encoding"))
        server.route("/endless", LoopbackResponse.pattern(count: nil).gzipped())
        let client = try RawClient(port: server.port)
        client.get("/endless", "Accept-Encoding: gzip")
        let head = try #require(client.read(through: "\r\n\r\n"))
        #expect(!head.contains("Content-Encoding") && client.read(1000)?.isEmpty == false)
    }
}
