import Dispatch
import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Network steps in pipelines", .timeLimit(.minutes(5)))
struct NetworkPipelineTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    @Test("PL-37: steps after a load don't delay other transfers")
    func followerBlocks() async throws {
        server.route("/a", .text("a"))
        let gate = Gate()
        defer { gate.open() }
        let blocked = Pipeline.loading(server.url("/a"))
        try blocked.addStep(BlockStep { (data: Data) in _ = gate.block() })
        try blocked.start()
        await gate.waitForArrivals()
        #expect(try await run(URLLoadStep(server.url("/a"))).bodyData == Data("a".utf8))
        gate.open()
        _ = await blocked.outcome()
    }

    @Test("PL-37, PL-48: callbacks after a load may use sessions and pipelines as they like")
    func callbacks() async throws {
        server.route("/a", .text("a"))
        let reported = Recorder<Void>()
        let pipeline = Pipeline.loading(server.url("/a"))
        pipeline.onSuccess { [server] _ in
            let next = Pipeline.loading(server.url("/a"))
            next.onSuccess { [weak next] _ in
                next?.cancel()
                reported.record(())
            }
            try? next.start()
        }
        try pipeline.start()
        await reported.waitForCount(1)
    }

    @Test("PL-8: a load works alone, as an operation in any queue")
    func alone() async throws {
        server.route("/a", .text("a"))
        let ended = Recorder<Void>()
        let step = URLLoadStep(server.url("/a"))
        let queue = OperationQueue()
        step.completionBlock = { ended.record(()) }
        queue.addOperation(step)
        await ended.waitForCount(1)
        #expect(step.isFinished && step.content.bodyData == Data("a".utf8) && step.error == nil)
        let failing = URLLoadStep(server.url("/none"))
        failing.completionBlock = { ended.record(()) }
        queue.addOperation(failing)
        await ended.waitForCount(2)
        #expect((failing.error as? RequestError)?.statusCode == 404)
    }

    @Test("PL-12: copies keep everything")
    func copies() async throws {
        server.route("/a", .text("a"))
        let sent = request(server.url("/a"), headers: ["X-A": "1"])
        let step = URLLoadStep(sent, options: options { $0.headers = ["X-B": "2"] }).named("feed")
        let upload = URLUploadStep(sent).named("up")
        for original in [step as any Step, upload] {
            let copy = try original.makeCopy()
            #expect(copy.options.name == original.options.name && copy !== original)
            var bag = Content()
            bag.bodyData = Data("x".utf8)
            _ = try await run(copy, content: bag)
            #expect(server.requests.last?["X-A"] == "1")
        }
        #expect(server.requests.first?["X-B"] == "2")
        #expect(URLRequestStep(options: options { $0.headers = ["X-B": "3"] }).makeCopy() is URLRequestStep)
    }

    #if !canImport(FoundationNetworking)
        @Test("PL-74: a background session is refused at the check")
        func background() throws {
            let session = URLSession(configuration: .background(withIdentifier: "stepline.test"))
            let pipeline = Pipeline.loading(server.url("/a"), session: session)
            #expect(pipeline.check().contains { $0.severity == .error })
        }
    #endif

    @Test(
        "PL-31: a URL that can't be used is found at the check", arguments: ["http:///x", "nonsense", "x:y"])
    func badURLs(_ text: String) throws {
        let pipeline = Pipeline.loading(try #require(URL(string: text)))
        #expect(pipeline.check().contains { $0.severity == .error })
    }

    @Test("PL-88, PL-67: progress follows the bytes, with and without a known length")
    func progress() async throws {
        let gates = [Gate(), Gate()]
        server.route("/known", .pattern(count: 1000).fault(.hold(after: 500, gates[0])))
        server.route("/unknown", .pattern(count: 1000).chunked(of: 500).fault(.hold(after: 500, gates[1])))
        for (path, gate, half) in [("/known", gates[0], 0.5), ("/unknown", gates[1], nil)] {
            let pipeline = Pipeline.loading(server.url(path))
            let seen = Recorder<Void>()
            let events = pipeline.events
            let progress = pipeline.progress
            let watching = Task {
                for await event in events {
                    if case .progressed = event.kind { seen.record(()) }
                }
            }
            try pipeline.start()
            await seen.waitForCount(1)
            if let half {
                #expect(abs(progress.fractionCompleted - half) < 0.01)
            } else {
                #expect(progress.isIndeterminate)
            }
            gate.open()
            await watching.value
            #expect(progress.fractionCompleted == 1)
        }
    }

    @Test("PL-73: credentials and cookies are the session's")
    func credentials() async throws {
        server.route("/in", user: "me", password: "hush", .text("in"))
        server.route("/set", .text("set").header("Set-Cookie", "a=1"))
        let session = URLSession(configuration: .ephemeral, delegate: PasswordGiver(), delegateQueue: nil)
        func load(_ path: String) async throws -> Data? {
            try await run(URLLoadStep(URLRequest(url: server.url(path)), session: session)).bodyData
        }
        #expect(try await load("/in") == Data("in".utf8))
        _ = try await load("/set")
        _ = try await load("/set")
        #expect(server.requests.last?["Cookie"] == "a=1")
    }
}

/// A session's delegate that knows the password.
private final class PasswordGiver: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "me", password: "hush", persistence: .none))
    }
}
