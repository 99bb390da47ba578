import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Refused statuses", .timeLimit(.minutes(5)))
struct StatusTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test(
        "PL-75: by default 400 to 999 fail, and below that all succeed",
        arguments: [
            200, 203, 299, 300, 305, 400, 404, 418, 499, 500, 503, 599, 600, 999,
        ])
    func defaultPolicy(_ status: Int) async throws {
        server.route("/s", .status(status))
        let error = await requestError(URLLoadStep(server.url("/s")))
        #expect(error?.statusCode == (status >= 400 ? status : nil))
        #expect(error?.code == (status >= 400 ? .status : nil))
    }

    @Test("PL-75: other policies accept what they say")
    func otherPolicies() async throws {
        server.route("/404", .text("gone", status: 404))
        server.route("/204", .status(204))
        let any = try await run(URLLoadStep(server.url("/404"), options: options { $0.status = .any }))
        #expect(any.bodyData == Data("gone".utf8))
        let only = options { $0.status = .only(200..<203) }
        #expect(await requestError(URLLoadStep(server.url("/204"), options: only))?.statusCode == 204)
        let closure = options { $0.status = .accepting { $0 == 404 } }
        #expect(try await run(URLLoadStep(server.url("/404"), options: closure)).bodyData?.count == 4)
    }

    @Test(
        "PL-76: a refused status is an error with URL, response, wait and readable text; the bag has the body"
    )
    func refused() async throws {
        server.route("/busy", .text("wait a bit", status: 503).header("Retry-After", "7").header("X-Id", "9"))
        let pipeline = Pipeline.loading(server.url("/busy"))
        let parsed = Recorder<Void>()
        try pipeline.addStep(BlockStep { (data: Data) in parsed.record(()) })
        let seen = Recorder<Data?>()
        pipeline.onFailure { [unowned pipeline] _ in seen.record(pipeline.content?.bodyData) }
        let outcome = try await {
            try pipeline.start(); return await pipeline.outcome()
        }()
        guard case .failure(let failure as PipelineError) = outcome else {
            Issue.record("\(outcome)"); return
        }
        let error = try #require(failure.underlying(as: RequestError.self))
        #expect(error.code == .status && error.statusCode == 503 && error.text == "wait a bit")
        #expect(error.url == server.url("/busy") && error.retryAfter == .delay(.seconds(7)))
        #expect("\(error)" == "GET \(server.url("/busy")): status 503")
        #expect(seen.values == [Data("wait a bit".utf8)])
        #expect(pipeline.content?.httpURLResponse?.value(forHTTPHeaderField: "X-Id") == "9")
        #expect(parsed.count == 0)
    }

    @Test("PL-76: of a long refusal the first MiB is kept, in the error and in the bag")
    func longRefusal() async throws {
        server.route("/long", LoopbackResponse.pattern(count: 3 << 20).changedStatus(500))
        let pipeline = Pipeline.loading(server.url("/long"))
        let failure = await #expect(throws: PipelineError.self) { try await pipeline.run() }
        let error = try #require(failure?.underlying(as: RequestError.self))
        #expect(error.body == pattern(1 << 20))
        #expect(pipeline.content?.bodyData == pattern(1 << 20))
    }

    @Test("PL-76: an endless refusal ends at the size limit, with its status")
    func endlessRefusal() async throws {
        server.route("/endless", endless.changedStatus(500))
        let small = options { $0.sizeLimit = 100_000 }
        #expect(await requestError(URLLoadStep(server.url("/endless"), options: small))?.statusCode == 500)
        await server.waitForClosedConnections()
    }

    @Test(
        "PL-76: a refused status with a challenge ends as that status",
        arguments: [
            "Basic realm=\"x\"", "Bearer", "Digest realm=\"x\", nonce=\"y\"", "",
        ])
    func challenge(_ header: String) async throws {
        server.route("/401", .text("who?", status: 401).header("WWW-Authenticate", header))
        let error = await requestError(URLLoadStep(server.url("/401")))
        #expect(error?.statusCode == 401 && error?.text == "who?")
    }

    @Test("PL-53: which failures are worth another attempt")
    func transient() async throws {
        for (status, isTransient) in [(408, true), (429, true), (500, true), (501, false), (404, false)] {
            server.route("/s", .status(status))
            #expect(await requestError(URLLoadStep(server.url("/s")))?.isTransient == isTransient)
        }
        server.route("/s", .status(503))
        let post = URLLoadStep(request(server.url("/s"), method: "POST"))
        #expect(await requestError(post)?.isTransient == false)
    }

    @Test("PL-54, PL-83: retries wait as the server asks; only idempotent methods are repeated")
    func retries() async throws {
        let clock = ManualClock()
        server.route("/flaky", inTurn: [.status(503).header("Retry-After", "30"), .text("at last")])
        let policy = RetryPolicy.exponential(attempts: 3, jitter: .none)
        let loading = Pipeline(options: .init(retry: policy, clock: clock)) {
            URLLoadStep(server.url("/flaky"))
        }
        let events = loading.events
        try loading.start()
        await clock.waitForScheduled(after: .seconds(30))
        clock.advance(by: .seconds(30))
        guard case .success = await loading.outcome() else { Issue.record("failed"); return }
        var waits: [Duration] = []
        for await event in events {
            if case .retrying(_, _, _, let wait) = event.kind { waits.append(wait) }
        }
        #expect(waits == [.seconds(30)])
        #expect(server.requests.count == 2)
        let posting = Pipeline(options: .init(retry: policy)) {
            URLLoadStep(request(server.url("/never"), method: "POST"))
        }
        server.route("/never", .status(503))
        await #expect(throws: PipelineError.self) { try await posting.run() }
        #expect(server.requests.count == 3)
    }

    @Test("Types that aren't accepted and no type are refused; a refused status counts before its type")
    func contentTypes() async throws {
        server.route("/json", .text("{}", type: "application/json"))
        let expected = options { $0.contentTypes = ["text/*", "application/xml"] }
        #expect(await requestError(URLLoadStep(server.url("/json"), options: expected))?.code == .contentType)
        let all = options { $0.contentTypes = ["application/JSON"] }
        #expect(try await run(URLLoadStep(server.url("/json"), options: all)).bodyData?.count == 2)
        server.route("/error", .text("no", type: "text/html", status: 500))
        server.route("/plain", LoopbackResponse(body: .data(Data("x".utf8))))
        #expect(await requestError(URLLoadStep(server.url("/error"), options: all))?.code == .status)
        #expect(await requestError(URLLoadStep(server.url("/plain"), options: all))?.code == .contentType)
    }

    @Test("A type that isn't accepted is refused before the body is read, and closes the connection")
    func contentTypeBeforeBody() async throws {
        // Without an end: what can be sent whole leaves the connection as it is.
        let page = LoopbackResponse.pattern(count: nil).header("Content-Type", "text/html; charset=utf-8")
        server.route("/page", page.fault(.stall(after: 1)))
        let expected = options { $0.contentTypes = ["application/json"] }
        let pipeline = Pipeline.loading(server.url("/page"), options: expected)
        let failure = await #expect(throws: PipelineError.self) { try await pipeline.run() }
        let error = try #require(failure?.underlying(as: RequestError.self))
        #expect(error.code == .contentType && !error.isTransient && error.description.contains("text/html"))
        #expect(error.response?.mimeType == "text/html" && pipeline.content?.names == [])
        await server.waitForClosedConnections()
    }
}

extension LoopbackResponse {
    func changedStatus(_ status: Int) -> LoopbackResponse {
        var response = self
        response.status = status
        return response
    }
}
