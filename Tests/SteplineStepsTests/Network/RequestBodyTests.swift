import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Bodies of requests", .timeLimit(.minutes(5)))
struct RequestBodyTests {
    let server: LoopbackServer
    let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
        server.route("/p") { request in
            .text("\(request.method) \(request.bodyCount) \(request["Content-Type"] ?? "none")")
        }
    }

    private func send(
        _ body: RequestBody, _ sent: URLRequest? = nil, content: Content = Content()
    ) async throws -> LoopbackRequest {
        let step = URLLoadStep(sent ?? URLRequest(url: server.url("/p")), options: options { $0.body = body })
        _ = try await run(step, content: content)
        return try #require(server.requests.last)
    }

    @Test("PL-83: bytes are sent as POST unless there is a method; length and type are set")
    func data() async throws {
        let got = try await send(.data(pattern(100_000)))
        #expect(got.method == "POST" && got.body == pattern(100_000))
        #expect(got["Content-Length"] == "100000" && got["Content-Type"] == "application/octet-stream")
        let put = try await send(
            .data(Data("x".utf8), type: "text/csv"), request(server.url("/p"), method: "PUT"))
        #expect(put.method == "PUT" && put["Content-Type"] == "text/csv")
        let typed = request(server.url("/p"), headers: ["Content-Type": "a/b"])
        #expect(try await send(.data(Data("x".utf8), type: "text/csv"), typed)["Content-Type"] == "a/b")
        let empty = try await send(.data(Data()))
        #expect(empty.method == "POST" && empty.bodyCount == 0)
    }

    @Test("PL-83: a request's own body is sent; one from a stream is an error before anything is sent")
    func ownBody() async throws {
        var own = request(server.url("/p"), method: "POST")
        own.httpBodyStream = InputStream(data: Data("own".utf8))
        let error = await requestError(URLLoadStep(own))
        #expect(error?.code == .body && "\(error as Any)".contains("stream") && server.requests.isEmpty)
        // A stream that the options replace isn't sent.
        #expect(try await send(.data(Data("x".utf8)), own).body == Data("x".utf8))
        var patch = request(server.url("/p"), method: "PATCH")
        patch.httpBody = Data("own".utf8)
        #expect(try await send(.none, patch).body == Data("own".utf8))
    }

    @Test("PL-83: a value is sent as JSON; one that can't be encoded fails before connecting")
    func json() async throws {
        let got = try await send(.json(["city": "Oslo"]))
        #expect(got.body == Data(#"{"city":"Oslo"}"#.utf8) && got["Content-Type"] == "application/json")
        let step = URLLoadStep(server.url("/p"), options: options { $0.body = .json([Double.nan]) })
        let failure = await #expect(throws: PipelineError.self) { try await run(step) }
        #expect(failure?.underlying(as: RequestError.self)?.code == .body)
        #expect(failure?.underlying(as: EncodingError.self) != nil)
        #expect(server.requests.count == 1)
    }

    @Test("PL-83: an entry of the bag is a declared input")
    func entry() async throws {
        let key = ContentKey<Data>("report")
        var bag = Content()
        bag[key] = Data("from the bag".utf8)
        #expect(try await send(.content(key), content: bag).body == Data("from the bag".utf8))
        let step = URLLoadStep(server.url("/p"), options: options { $0.body = .content(key) })
        #expect(step.inputs == [key.erased])
        let pipeline = Pipeline()
        try pipeline.addStep(step)
        #expect(pipeline.check().contains { $0.severity == .error })
    }

    @Test("PL-83: an entry of the bag is sent for each page of a list")
    func entryForPages() async throws {
        let key = ContentKey<Data>("question")
        var bag = Content()
        bag[key] = Data("which".utf8)
        server.route("/pages", LoopbackResponse.text("[1]").header("Link", "</more>; rel=next"))
        server.route("/more", .text("[2]"))
        let step = URLEachRecordStep(
            URLRequest(url: server.url("/pages")), next: .link, options: options { $0.body = .content(key) }
        ) { _ in }
        #expect(step.inputs == [key.erased])
        _ = try await run(step, content: bag)
        #expect(server.requests.map(\.body) == [Data("which".utf8), Data("which".utf8)])
        #expect(server.requests.map(\.method) == ["POST", "POST"])
    }

    @Test("PL-83: an entry of a bag is an error where there is no bag, before anything is sent")
    func entryWithoutBag() async throws {
        let load = options { $0.body = .content(ContentKey<Data>("question")) }
        let request = URLRequest(url: server.url("/p"))
        func code(_ body: () async throws -> Void) async -> RequestError.Code? {
            do {
                try await body()
                return nil
            } catch {
                return (error as? RequestError)?.code
            }
        }
        let pages = await code { for try await _ in URLPages(request, next: .link, options: load) {} }
        let chunks = await code { for try await _ in URLChunks(request, options: load) {} }
        let upload = await code { _ = try await URLTaskManager().upload(request, body: load.body) }
        #expect(pages == .body && chunks == .body && upload == .body)
        #expect(server.requests.isEmpty)
    }

    @Test("PL-83: a file is sent; one that is missing fails before connecting")
    func file() async throws {
        let file = folder["body"]
        try pattern(3 << 20).write(to: file)
        let got = try await send(.file(file, type: "text/csv"))
        #expect(got.body == pattern(3 << 20) && got["Content-Length"] == "\(3 << 20)")
        #expect(got["Content-Type"] == "text/csv")
        let missing = URLLoadStep(server.url("/p"), options: options { $0.body = .file(folder["none"]) })
        #expect(await requestError(missing)?.code == .body)
        #expect(server.requests.count == 1)
    }

    @Test("PL-83: an upload sends the bag's bytes, and the answer takes their place")
    func upload() async throws {
        let answer: Data = try await Pipeline.run {
            BlockStep { Data("some text".utf8) }
            URLUploadStep(to: server.url("/p"))
        }
        #expect(String(decoding: answer, as: UTF8.self) == "POST 9 application/octet-stream")
    }

    @Test("PL-83: a retry sends the body again from its start")
    func retried() async throws {
        let file = folder["body"]
        try pattern(200_000).write(to: file)
        server.route("/flaky", inTurn: [.status(503), .text("ok")])
        let step = URLLoadStep(
            request(server.url("/flaky"), method: "PUT"), options: options { $0.body = .file(file) })
        _ = try await run(step.retrying(.constant(attempts: 2, delay: .zero)))
        #expect(server.requests.map(\.body) == [pattern(200_000), pattern(200_000)])
    }

    @Test("PL-83: a policy of one's own repeats a POST too")
    func ownPolicy() async throws {
        server.route("/flaky", inTurn: [.status(503), .text("ok")])
        let step = URLLoadStep(server.url("/flaky"), options: options { $0.body = .data(Data("x".utf8)) })
        _ = try await run(step.retrying(.constant(attempts: 2, delay: .zero, when: { _ in true })))
        #expect(server.requests.map(\.method) == ["POST", "POST"])
    }
}
