import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Faults of the network", .timeLimit(.minutes(5)))
struct FaultTests {
    let server: LoopbackServer
    let session = URLSession(configuration: .ephemeral)

    init() throws { server = try LoopbackServer() }

    /// The code of the error that both ways of loading agree on: without a session, and over one's own.
    private func code(_ response: LoopbackResponse, _ options: LoadOptions = .init()) async -> RequestError
        .Code?
    {
        server.route("/fault", response)
        let asked = URLRequest(url: server.url("/fault"))
        let codes = [
            await requestError(URLLoadStep(asked, options: options))?.code,
            await requestError(URLLoadStep(asked, session: session, options: options))?.code,
        ]
        #expect(codes[0] == codes[1])
        return codes[0]
    }

    @Test("PL-80: past the size limit it is too large: announced, chunked, endless, decompressed")
    func tooLarge() async throws {
        let small = options { $0.sizeLimit = 10_000 }
        #expect(await code(.pattern(count: 10_001), small) == .tooLarge)
        #expect(await code(.pattern(count: 10_001).chunked(of: 500), small) == .tooLarge)
        #expect(await code(endless, small) == .tooLarge)
        #expect(await code(LoopbackResponse.pattern(count: 10_001).gzipped(), small) == .tooLarge)
        await server.waitForClosedConnections()
        #expect(await code(.pattern(count: 10_000), small) == nil)
        #expect(await code(LoopbackResponse.pattern(count: 10_000).gzipped(), small) == nil)
    }

    @Test("PL-80: a body announced as too large is refused before it is read")
    func announced() async throws {
        server.route("/fault", .pattern(count: 1 << 30).fault(.stall(after: 0)))
        let error = await requestError(URLLoadStep(server.url("/fault")))
        #expect(error?.code == .tooLarge)
    }

    @Test("PL-80: a body shorter than announced is truncated")
    func truncated() async throws {
        #expect(await code(.pattern(count: 900).announcing(length: 1000)) == .truncated)
        #expect(await code(.pattern(count: 5000).fault(.close(after: 300))) == .truncated)
        #expect(await code(.pattern(count: 5000).chunked(of: 100).fault(.close(after: 300))) == .truncated)
        #expect(await code(.pattern(count: 0).announcing(length: 1)) == .truncated)
        #expect(
            await code(LoopbackResponse.pattern(count: 5000).gzipped().fault(.close(after: 300)))
                == .truncated)
        #expect(await code(.pattern(count: 5000).fault(.reset(after: 300))) == .truncated)
    }

    @Test("PL-80: a HEAD has a length and no body, and is a success")
    func head() async throws {
        server.route("/h", .pattern(count: 1 << 30))
        let content = try await run(URLLoadStep(request(server.url("/h"), method: "HEAD")))
        #expect(content.bodyData == Data())
    }

    @Test("PL-79: a method or header that HTTP doesn't allow fails before connecting")
    func injection() async throws {
        let odd = [
            request(server.url("/x"), method: "GET / HTTP/1.1\r\nX: y"),
            request(server.url("/x"), method: ""),
            request(server.url("/x"), headers: ["X": "a\r\nY: b"]),
            request(server.url("/x"), headers: ["X Y": "a"]),
            request(server.url("/x"), headers: ["X\r\nY": "a"]),
            request(server.url("/x"), headers: ["X": "a\0b"]),
        ]
        for sent in odd {
            let code = await requestError(URLLoadStep(sent))?.code
            // Foundation may have refused or mended it by itself.
            let isPlain =
                sent.httpMethod == "GET"
                && sent.allHTTPHeaderFields?.values.contains { $0.contains("\n") } != true
            #expect(code == .header || isPlain && code == .status)
        }
        #expect(server.requests.allSatisfy { $0["Y"] == nil && $0["X Y"] == nil })
    }

    @Test("PL-77: a connection error keeps its cause, and leaves neither bytes nor response in the bag")
    func refusedConnection() async throws {
        let pipeline = Pipeline.loading(try #require(URL(string: "http://127.0.0.1:1/")))
        let failure = await #expect(throws: PipelineError.self) { try await pipeline.run() }
        #expect(failure?.underlying(as: RequestError.self)?.code == .connection)
        #expect(failure?.underlying(as: URLError.self)?.code == .cannotConnectToHost)
        #expect(failure.map(RetryPolicy.isTransient) == true)
        #expect(pipeline.content?.names == [])
    }

    @Test("PL-77: a body that is lost leaves nothing in the bag")
    func lostBody() async throws {
        server.route("/lost", .pattern(count: 5000).fault(.reset(after: 300)))
        let pipeline = Pipeline.loading(server.url("/lost"))
        let failure = await #expect(throws: PipelineError.self) { try await pipeline.run() }
        #expect(failure.map(RetryPolicy.isTransient) == true)
        #expect(pipeline.content?.names == [])
    }

    @Test("PL-81: garbage for HTTP, a hang-up and a bad head are typed errors")
    func garbage() async throws {
        #expect(await code(.raw(head: "BLAH BLAH\r\n\r\n")) == .connection)
        #expect(await code(.raw(head: "\u{1}\u{2}\u{3}")) == .connection)
        #expect(await code(.raw(head: "")) == .connection)
        #expect(await code(.raw(head: "HTTP/1.1 200 OK\r\nno colon\r\n\r\n")) == .connection)
        #expect(await code(.raw(head: "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello")) == .connection)
    }

    @Test("PL-81: a silent peer ends in a time-out after the idle time", arguments: [true, false])
    func silence(hasHead: Bool) async throws {
        server.route("/mute", .pattern(count: 10).fault(hasHead ? .stall(after: 5) : .silence))
        let clock = ManualClock()
        var asked = URLRequest(url: server.url("/mute"))
        asked.timeoutInterval = 20
        let pipeline = Pipeline(options: .init(clock: clock)) { URLLoadStep(asked) }
        try pipeline.start()
        await server.waitForRequests()
        await clock.waitForScheduled(after: .seconds(20))
        clock.advance(by: .seconds(19))
        #expect(pipeline.isExecuting)
        clock.advance(by: .seconds(21))
        let error = try #require(await pipeline.outcome().requestError)
        #expect(error.code == .timedOut && error.isTransient)
        await server.waitForClosedConnections()
        #expect(clock.scheduledCount == 0)
    }

    @Test("PL-81: a dripping peer ends in a time-out after the total time, though it is never idle")
    func dripping() async throws {
        let gates = (0..<4).map { _ in Gate() }
        let clock = ManualClock()
        let turn = Recorder<Void>()
        server.route("/drip") { _ in
            turn.record(())
            let round = turn.count - 1
            guard round < gates.count else { return .text("done") }
            let redirect = LoopbackResponse.text("a moment", status: 302).header("Location", "/drip")
            return redirect.fault(.hold(after: 1, gates[round]))
        }
        let limits = options {
            $0.idleTimeout = .seconds(10)
            $0.totalTimeout = .seconds(25)
        }
        let pipeline = Pipeline(options: .init(clock: clock)) {
            URLLoadStep(server.url("/drip"), options: limits)
        }
        try pipeline.start()
        for gate in gates.prefix(2) {
            await gate.waitForArrivals()
            clock.advance(by: .seconds(9))
            gate.open()
        }
        await gates[2].waitForArrivals()
        clock.advance(by: .seconds(6))
        #expect(pipeline.isExecuting)
        clock.advance(by: .seconds(1))
        #expect(await pipeline.outcome().requestError?.code == .timedOut)
        gates[2].open()
    }

    @Test("PL-34: no text of an error shows password, token or query")
    func secrets() async throws {
        server.route("/secret", .status(403).header("Set-Cookie", "session=hush"))
        let text = server.url("/secret?token=hush").absoluteString.replacing("//", with: "//me:hush@")
        let url = try #require(URL(string: text))
        let session = URLSession(configuration: .ephemeral)
        let sent = request(url, headers: ["Cookie": "a=hush", "X-Key": "hush"])
        let failure = await #expect(throws: PipelineError.self) {
            try await run(URLLoadStep(sent, session: session))
        }
        let error = try #require(failure?.underlying(as: RequestError.self))
        let urlText = error.url?.absoluteString ?? ""
        let texts = ["\(error)", failure?.description ?? "", error.localizedDescription].joined(
            separator: " ")
        #expect(!texts.contains("hush"))
        #expect(!urlText.contains("me:hush") && error.response?.url?.user == nil)
        let expected = "Basic " + Data("me:hush".utf8).base64EncodedString()
        #expect(server.requests.first?["Authorization"] == expected)
        let refused = try #require(URL(string: "http://me:hush@127.0.0.1:1/?k=hush"))
        let other = await #expect(throws: PipelineError.self) { try await run(URLLoadStep(refused)) }
        let cause = try #require(other?.underlying(as: URLError.self))
        let otherTexts = [other?.description ?? "", "\((cause as NSError).userInfo)"].joined(separator: " ")
        #expect(!otherTexts.contains("me:hush"))
    }
}

extension Outcome<Content> {
    var requestError: RequestError? {
        (error as? PipelineError)?.underlying(as: RequestError.self)
    }

    var isCancelled: Bool {
        if case .cancelled = self { true } else { false }
    }
}
