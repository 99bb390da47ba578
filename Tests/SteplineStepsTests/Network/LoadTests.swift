import Foundation
import Stepline
import SteplineRequests
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("URLLoadStep", .timeLimit(.minutes(5)))
struct LoadTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test("PL-73: a load writes the bytes, which may be none, and the response")
    func load() async throws {
        server.route("/hello", .text("hello"))
        server.route("/empty", .status(200))
        server.route("/none", .status(204))
        for (path, body, status) in [("/hello", "hello", 200), ("/empty", "", 200), ("/none", "", 204)] {
            let content = try await run(URLLoadStep(server.url(path)))
            #expect(content.bodyData == Data(body.utf8))
            #expect(content.httpURLResponse?.statusCode == status)
            #expect(content[.urlResponse]?.url == server.url(path))
        }
    }

    @Test("PL-73: a callback that blocks after a load delays no other load")
    func blockingCallback() async throws {
        server.route("/hello", .text("hello"))
        let gate = Gate()
        let first = Pipeline.loading(server.url("/hello"))
        first.onSuccess { _ in gate.block() }
        try first.start()
        await gate.waitForArrivals()
        #expect(try await Pipeline.loading(server.url("/hello")).run() == Data("hello".utf8))
        gate.open()
        #expect(try await first.run() == Data("hello".utf8))
    }

    @Test("PL-73: a load that fails before it is sent calls its callbacks on a worker")
    func failsAtOnce() async throws {
        let pipeline = Pipeline.loading(
            server.url("/never"), options: options { $0.headers = ["X-A": "a\nb"] })
        let threads = Recorder<String?>()
        pipeline.onFailure { _ in threads.record(Thread.current.name) }
        let error = await #expect(throws: PipelineError.self) { try await pipeline.run() }
        #expect((error?.underlying as? RequestError)?.code == .header)
        #expect(threads.values == ["stepline.worker"] && server.requests.isEmpty)
    }

    @Test("PL-73: chunked, unannounced, compressed and interim answers all give the body")
    func framings() async throws {
        let body = pattern(100_000)
        server.route("/chunked", .data(body).chunked(of: 777))
        server.route("/close", .data(body).untilClose())
        server.route("/gzip", .data(body).gzipped())
        server.route("/dripping", .data(pattern(50)).fault(.drip(bytes: 10, every: .milliseconds(1))))
        for path in ["/chunked", "/close", "/gzip"] {
            #expect(try await run(URLLoadStep(server.url(path))).bodyData == body)
        }
        #expect(try await run(URLLoadStep(server.url("/dripping"))).bodyData == pattern(50))
        let hints =
            "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        server.route("/hints", .raw(head: hints))
        let content = try await run(URLLoadStep(server.url("/hints")))
        #expect(content.bodyData == Data("hello".utf8))
        #expect(content.httpURLResponse?.statusCode == 200)
    }

    @Test("PL-73: the request's headers and method are sent, the options' headers override them")
    func headers() async throws {
        server.route("/echo", .text("ok"))
        let sent = request(server.url("/echo?q=1"), method: "DELETE", headers: ["X-A": "1", "X-B": "2"])
        _ = try await run(URLLoadStep(sent, options: options { $0.headers = ["X-B": "3"] }))
        let got = try #require(server.requests.first)
        #expect(got.method == "DELETE" && got.query == "q=1")
        #expect(got["X-A"] == "1" && got["X-B"] == "3")
    }

    @Test("PL-73: changing the caller's request later changes nothing")
    func requestIsCopied() async throws {
        server.route("/a", .text("a"))
        var changing = URLRequest(url: server.url("/a"))
        let step = URLLoadStep(changing)
        changing.url = server.url("/b")
        #expect(try await run(step).bodyData == Data("a".utf8))
    }

    @Test("PL-74: loads share one session, so that a connection is used again")
    func keepsAlive() async throws {
        #expect(URLSessionTransport.transport(for: nil) === URLSessionTransport.shared)
        let session = URLSession(configuration: .ephemeral)
        let transport = URLSessionTransport.transport(for: session)
        server.route("/a", .text("a"))
        for _ in 0..<5 {
            _ = try await run(URLLoadStep(URLRequest(url: server.url("/a")), session: session))
        }
        #expect(server.connectionCount == 1 && server.requests.count == 5)
        #expect(URLSessionTransport.transport(for: session) === transport)
    }

    @Test("PL-74: state kept for a session is released with it")
    func sessionGoes() throws {
        weak var transport: URLSessionTransport?
        do {
            let session = URLSession(configuration: .ephemeral)
            transport = URLSessionTransport.transport(for: session)
            #expect(transport != nil)
        }
        _ = URLSessionTransport.transport(for: URLSession(configuration: .ephemeral))
        #expect(transport == nil)
    }

    @Test("PL-74: a given session is used, and by copies too")
    func givenSession() async throws {
        server.route("/a", .text("a"))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Session": "mine"]
        let session = URLSession(configuration: configuration)
        let step = URLLoadStep(URLRequest(url: server.url("/a")), session: session)
        _ = try await run(try #require(step.makeCopy() as? URLLoadStep))
        _ = try await run(step)
        #expect(server.requests.map { $0["X-Session"] } == ["mine", "mine"])
        #expect(server.connectionCount == 1)
    }

    @Test("PL-78: data and file URLs load without a status check")
    func otherSchemes() async throws {
        let url = try #require(URL(string: "data:text/plain;charset=utf-8,hi%20there"))
        #expect(try await run(URLLoadStep(url)).bodyData == Data("hi there".utf8))
        let file = URL(filePath: #filePath)
        let content = try await run(URLLoadStep(file))
        #expect(content.bodyData == (try Data(contentsOf: file)))
        #expect(content[.urlResponse] != nil && content.httpURLResponse == nil)
        let missing = await requestError(URLLoadStep(URL(filePath: "/no/such/file")))
        #expect(missing?.code == .connection)
        #expect(await requestError(URLLoadStep(URL(filePath: "/tmp")))?.code == .connection)
    }

    @Test("PL-78: any other scheme fails the check, and a request from the bag the step")
    func refusedSchemes() async throws {
        let url = try #require(URL(string: "ftp://127.0.0.1/x"))
        let issues = Pipeline.loading(url).check()
        #expect(issues.contains { $0.severity == .error && "\($0)".contains("ftp") })
        for text in ["file:///etc/passwd", "data:,x", "gopher://x"] {
            var bag = Content()
            bag.bodyObject = URLRequest(url: try #require(URL(string: text)))
            #expect(await requestError(URLRequestStep(), content: bag)?.code == .scheme)
        }
        var bag = Content()
        server.route("/a", .text("a"))
        bag.bodyObject = URLRequest(url: server.url("/a"))
        #expect(try await run(URLRequestStep(), content: bag).bodyData == Data("a".utf8))
    }
}
