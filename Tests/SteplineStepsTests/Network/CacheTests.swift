import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The HTTP cache", .timeLimit(.minutes(5)))
struct CacheTests {
    let server: LoopbackServer
    let folder: TemporaryFolder
    private let clock = ManualClock()

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
    }

    private var cache: HTTPCache { .folder(folder.url) }

    /// The text of a load, its source, and the server's number of requests by then.
    private func load(
        _ path: String = "/a", _ cache: HTTPCache? = nil, _ headers: [String: String] = [:]
    ) async throws -> String {
        let options = options { $0.headers = headers }
        let step = URLLoadStep(server.url(path), cache: cache ?? self.cache, options: options)
        let content = try await run(step, options: PipelineOptions(clock: clock))
        let source = content[.loadSource].map { "\($0)" } ?? "?"
        return
            "\(String(decoding: content.bodyData ?? Data(), as: UTF8.self)) \(source) \(server.requests.count)"
    }

    private func answer(_ text: String, _ headers: [String: String]) -> LoopbackResponse {
        headers.reduce(.text(text)) { $0.header($1.key, $1.value) }
    }

    @Test("a fresh answer is used without asking; an old one is asked about, and a changed one replaced")
    func freshness() async throws {
        server.route("/a", answer("one", ["Cache-Control": "max-age=60", "ETag": "\"1\""]))
        #expect(try await load() == "one network 1")
        clock.advance(by: .seconds(59))
        #expect(try await load() == "one cache 1")
        clock.advance(by: .seconds(1))
        #expect(try await load() == "one cache 2" && server.requests.last?["If-None-Match"] == "\"1\"")
        // The answer to the question has made it fresh again.
        #expect(try await load() == "one cache 2")
        server.route("/a", answer("two", ["Cache-Control": "max-age=60", "ETag": "\"2\""]))
        clock.advance(by: .seconds(61))
        #expect(try await load() == "two network 3")
        #expect(try await load() == "two cache 3")
    }

    @Test("a kept answer of a type that isn't accepted is asked for again, and refused; fresh or old")
    func types() async throws {
        server.route("/a", answer("x", ["Cache-Control": "max-age=60", "ETag": "\"1\""]))
        #expect(try await load() == "x network 1")
        for count in 2...3 {
            let step = URLLoadStep(
                server.url("/a"), cache: cache, options: options { $0.contentTypes = ["text/html"] })
            let error = await requestError(step, options: PipelineOptions(clock: clock))
            #expect(error?.code == .contentType)
            #expect(server.requests.count == count && server.requests.last?["If-None-Match"] == nil)
            #expect(try await load() == (count == 2 ? "x cache 2" : "x cache 4"))
            clock.advance(by: .seconds(61))
        }
    }

    @Test("a jar whose file hasn't been read yet gets no answer of another user's", .overCurl)
    func jars() async throws {
        server.route("/a") {
            .text($0["Cookie"] ?? "nobody").header("Cache-Control", "max-age=60")
        }
        for user in ["x", "y"] {
            let file = folder["jar-\(user)"]
            try Data("127.0.0.1\tFALSE\t/\tFALSE\t0\tuser\t\(user)\n".utf8).write(to: file)
            let options = options { $0.cookies = .file(file) }
            let step = URLLoadStep(server.url("/a"), cache: cache, options: options)
            let content = try await run(step, options: PipelineOptions(clock: clock))
            #expect(content.bodyData == Data("user=\(user)".utf8))
        }
    }

    @Test(
        "Expires, Age and a tenth of the time since the last change say how long an answer is fresh, in that order"
    )
    func lifetimes() async throws {
        func sent(_ seconds: Double = 0) -> String { HTTPDate.text(of: clock.now + seconds) }
        let cases: [(() -> [String: String], Int)] = [
            ({ ["Expires": sent(30), "Date": sent()] }, 30),
            ({ ["Expires": sent(30), "Date": sent(), "Cache-Control": "max-age=10"] }, 10),
            ({ ["Cache-Control": "max-age=100", "Age": "80"] }, 20),
            ({ ["Last-Modified": sent(-1000), "Date": sent()] }, 100),
        ]
        for (number, (headers, seconds)) in cases.enumerated() {
            let path = "/\(number)"
            server.route(path, answer("x", headers()))
            let count = server.requests.count + 1
            #expect(try await load(path) == "x network \(count)")
            // Dates are told in whole seconds.
            clock.advance(by: .seconds(seconds - 2))
            #expect(try await load(path) == "x cache \(count)", "case \(number)")
            clock.advance(by: .seconds(4))
            #expect(try await load(path).hasSuffix(" \(count + 1)"), "case \(number)")
        }
    }

    @Test(
        "responses with no-store, without a validator, with a cookie or to private requests aren't cached",
        arguments: [
            ["Cache-Control": "no-store, max-age=60"], ["Cache-Control": "max-age=60", "Vary": "*"],
            ["Cache-Control": "max-age=60", "Set-Cookie": "a=1"], ["X": "y"], ["Expires": "0"],
            ["Cache-Control": "max-age=soon"],
        ])
    func notKept(_ headers: [String: String]) async throws {
        server.route("/a", answer("x", headers))
        #expect(try await load() == "x network 1")
        #expect(try await load() == "x network 2")
        #expect(try folder.names().isEmpty)
    }

    @Test("no-cache is always asked about, by the answer's wish or the request's")
    func noCache() async throws {
        server.route("/a", answer("x", ["Cache-Control": "no-cache", "ETag": "\"1\""]))
        #expect(try await load() == "x network 1")
        #expect(try await load() == "x cache 2")
        server.route("/b", answer("x", ["Cache-Control": "max-age=60", "ETag": "\"1\""]))
        _ = try await load("/b")
        #expect(try await load("/b", nil, ["Cache-Control": "no-cache"]) == "x cache 4")
        #expect(try await load("/b", nil, ["Cache-Control": "max-age=0"]) == "x cache 4")
        clock.advance(by: .seconds(5))
        #expect(try await load("/b", nil, ["Cache-Control": "max-age=4"]) == "x cache 5")
    }

    @Test("an answer is only used for requests that Vary allows, and with the same credentials")
    func varying() async throws {
        server.route("/a") { request in
            LoopbackResponse.text(request["Accept-Language"] ?? "none").header("Vary", "Accept-Language")
                .header("Cache-Control", "max-age=60")
        }
        #expect(try await load("/a", nil, ["Accept-Language": "de"]) == "de network 1")
        #expect(try await load("/a", nil, ["Accept-Language": "de"]) == "de cache 1")
        #expect(try await load("/a", nil, ["Accept-Language": "fr"]) == "fr network 2")
        #expect(try await load("/a", nil, ["Accept-Language": "fr", "Authorization": "x"]) == "fr network 3")
        #expect(try await load("/a", nil, ["Accept-Language": "fr", "Authorization": "y"]) == "fr network 4")
        #expect(try await load("/a", nil, ["Accept-Language": "fr", "Authorization": "x"]) == "fr cache 4")
    }

    @Test("an answer isn't used for requests with other sensitive headers, however they are spelt")
    func sensitiveHeaders() async throws {
        server.route("/a") { request in
            LoopbackResponse.text(request["X-Api-Key"] ?? "none").header("Cache-Control", "max-age=60")
        }
        func load(_ key: String, _ header: String = "X-Api-Key") async throws -> String {
            let options = options {
                $0.headers = [header: key]
                $0.sensitiveHeaders = ["x-api-key"]
            }
            let step = URLLoadStep(server.url("/a"), cache: cache, options: options)
            let content = try await run(step, options: PipelineOptions(clock: clock))
            return "\(String(decoding: content.bodyData ?? Data(), as: UTF8.self)) \(server.requests.count)"
        }
        #expect(try await load("one") == "one 1")
        #expect(try await load("two") == "two 2")
        #expect(try await load("one", "x-API-key") == "one 2")
        #expect(try await load("two") == "two 2")
    }

    @Test("an older answer stands in for an error for as long as its server allows, or else the cache")
    func staleIfError() async throws {
        var lenient = cache
        lenient.staleIfError = .seconds(1000)
        func fails(_ cache: HTTPCache? = nil) async -> Bool { (try? await load("/a", cache)) == nil }
        server.route("/a", answer("x", ["Cache-Control": "max-age=60, stale-if-error=100", "ETag": "\"1\""]))
        _ = try await load()
        server.route("/a", .status(503))
        clock.advance(by: .seconds(150))
        #expect(try await load() == "x cache 2")
        clock.advance(by: .seconds(20))
        #expect(await fails())
        #expect(await fails(lenient))
        server.route("/a", answer("y", ["Cache-Control": "max-age=60"]))
        _ = try await load()
        server.route("/a", .raw(head: ""))
        clock.advance(by: .seconds(100))
        #expect(await fails())
        #expect(try await load("/a", lenient).hasPrefix("y cache"))
        server.route("/a", .status(404))
        #expect(await fails(lenient))
        server.route("/a", answer("z", ["Cache-Control": "max-age=60, must-revalidate"]))
        _ = try await load()
        server.route("/a", .status(500))
        clock.advance(by: .seconds(100))
        #expect(await fails(lenient))
    }

    @Test("a damaged entry counts as none, and a redirect's end isn't kept for its beginning")
    func damage() async throws {
        server.route("/a", answer("x", ["Cache-Control": "max-age=60"]))
        _ = try await load()
        let file = folder[try #require(folder.names().first)]
        let whole = try Data(contentsOf: file)
        for damaged in [whole.dropLast(), Data(), Data("{}\nx".utf8), whole.dropFirst(3)] {
            try damaged.write(to: file)
            #expect(try await load().hasPrefix("x network"))
            #expect(try await load().hasPrefix("x cache"))
        }
        server.route("/from", .redirect(to: "/a"))
        #expect(try await load("/from").hasPrefix("x network"))
        #expect(try await load("/from").hasPrefix("x network"))
    }

    @Test(
        "RFC 9111, 4.4: a request that changes things makes its URL's answers forgotten, unless it is refused",
        arguments: ["POST", "PUT", "DELETE", "PATCH", "PURGE"])
    func unsafe(_ method: String) async throws {
        func send(_ path: String, _ method: String, within idleTimeout: Duration? = nil) async throws {
            let options = options {
                $0.cache = cache
                $0.idleTimeout = idleTimeout
                if method == "POST" { $0.body = .data(Data("b".utf8)) }
            }
            _ = try await run(URLLoadStep(request(server.url(path), method: method), options: options))
        }
        func isKept(_ path: String, _ headers: [String: String] = [:]) async throws -> Bool {
            try await load(path, nil, headers).contains(" cache ")
        }
        let others = ["/a/b", "/new", "/seen", "/elsewhere"]
        for path in ["/a"] + others { server.route(path, answer("x", ["Cache-Control": "max-age=60"])) }
        for path in ["/a"] + others { _ = try await load(path) }
        _ = try await load("/a", nil, ["Authorization": "x"])
        // A method that changes nothing leaves all as it is, and so does a refusal.
        try await send("/a", "OPTIONS")
        server.route("/a", .status(403))
        await #expect(throws: PipelineError.self) { try await send("/a", method) }
        #expect(try await isKept("/a"))
        server.route(
            "/a",
            answer("x", ["Cache-Control": "max-age=60", "Location": "/new", "Content-Location": "/seen"]))
        try await send("/a", method)
        for path in ["/a", "/new", "/seen"] { #expect(try await !isKept(path)) }
        #expect(try await !isKept("/a", ["Authorization": "x"]))
        #expect(try await isKept("/a/b"))
        // A server can't invalidate responses of another origin.
        let place = server.url("/elsewhere").absoluteString
        server.route("/b", answer("x", ["Location": place]))
        let other = try #require(URL(string: "http://localhost:\(server.port)/b"))
        let cached = options { $0.cache = cache }
        _ = try await run(URLLoadStep(request(other, method: method), options: cached))
        #expect(try await isKept("/elsewhere"))
        // A request without a response may have had its effect.
        server.route("/a", .raw(head: ""))
        // URLSession on Linux may try a second time, on another connection, and forget the body.
        await #expect(throws: PipelineError.self) { try await send("/a", method, within: .seconds(2)) }
        server.route("/a", answer("y", ["Cache-Control": "max-age=60"]))
        #expect(try await load("/a").hasPrefix("y network"))
    }

    @Test("pages are loaded by way of the cache, too")
    func pages() async throws {
        server.route("/p", answer("[1, 2]", ["Cache-Control": "max-age=60"]))
        for _ in 0..<2 {
            let pages = URLPages(
                server.url("/p"), next: .link, options: options { $0.cache = cache }, clock: clock)
            var count = 0
            for try await _ in try pages.records(at: "") { count += 1 }
            #expect(count == 2)
        }
        #expect(server.requests.count == 1)
    }

    @Test("a folder stays within its limit, and what hasn't been used for long goes first")
    func limit() async throws {
        let cache = HTTPCache.folder(folder.url, limit: 100_000)
        for number in 0..<40 {
            server.route(
                "/\(number)", answer(String(repeating: "x", count: 8000), ["Cache-Control": "max-age=60"]))
            _ = try await load("/\(number)", cache)
        }
        let sizes = try folder.names().map { try Data(contentsOf: folder[$0]).count }
        #expect(sizes.reduce(0, +) <= 120_000 && sizes.count >= 8)
        #expect(try await load("/39", cache).hasSuffix("cache 40"))
        #expect(try await load("/0", cache).hasSuffix("network 41"))
    }

    @Test("many at once on one folder, with other processes' writers, give whole answers only")
    func together() async throws {
        server.route("/a") { request in
            LoopbackResponse.text(String(repeating: "x", count: 50_000)).header("Cache-Control", "max-age=0")
                .etag("\"1\"")
        }
        let url = server.url("/a")
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<60 {
                group.addTask { [folder] in
                    let step = URLLoadStep(url, cache: .folder(folder.url, limit: 60_000))
                    return try? await SteplineStepsTests.run(step).bodyData?.count
                }
            }
            for await count in group { #expect(count == 50_000) }
        }
        #expect(try folder.names().count <= 1)
    }

    @Test("invalid settings of a cache are reported before anything runs")
    func problems() throws {
        let cached = options {
            $0.cache = .folder(folder.url)
            $0.revalidation = .memory()
        }
        #expect(URLLoadStep(server.url("/a"), options: cached).configurationProblems.count == 1)
        var download = DownloadOptions()
        download.cache = .folder(folder.url)
        #expect(
            URLDownloadStep(server.url("/a"), to: folder["a"], options: download).configurationProblems.count
                == 1)
    }
}
