import Foundation
import SteplineManager
import SteplineRequests
import SteplineSupport
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A manager's session", .timeLimit(.minutes(5)))
struct SessionTests {
    private func server() throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.route("/data") { request in
            .text("hello \(request["X-Added"] ?? "plain")").header(
                "X-Names", request.headers.lines.map(\.name).sorted().joined(separator: " "))
        }
        return server
    }

    /// Loads by a completion handler.
    private func load(_ session: URLSession, _ request: URLRequest) async -> (
        Data?, URLResponse?, (any Error)?
    ) {
        await withCheckedContinuation { continuation in
            session.dataTask(with: request) { continuation.resume(returning: ($0, $1, $2)) }.resume()
        }
    }

    @Test(
        "MG-71 MG-70: a session's request gets the interceptors' headers and nothing else, and its handler data and response"
    )
    func data() async throws {
        let server = try server()
        // Over a session, as that is what its headers are compared with.
        func manager(adding value: String) -> URLTaskManager {
            URLTaskManager(
                interceptors: [.adapting { $0.setValue(value, forHTTPHeaderField: "X-Added") }],
                configuration: .ephemeral)
        }
        let urls = manager(adding: "1"), other = manager(adding: "2")
        for (manager, text) in [(urls, "hello 1"), (other, "hello 2"), (urls, "hello 1")] {
            let (data, response, error) = await load(manager.session, URLRequest(url: server.url("/data")))
            #expect(data == Data(text.utf8) && error == nil)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }
        let (data, _) = try await urls.session.data(from: server.url("/data"))
        #expect(data == Data("hello 1".utf8))
        let plain = URLSession(configuration: .ephemeral)
        _ = await load(plain, URLRequest(url: server.url("/data")))
        let names = server.requests.map { Set($0.headers.lines.map { $0.name.lowercased() }) }
        #expect(names.last.map { $0.union(["x-added"]) } == names.first)
        server.stop()
    }

    @Test(
        "MG-71: a body goes along, and any status reaches the handler, also a 401",
        arguments: [200, 401, 404, 500])
    func statuses(status: Int) async throws {
        let server = try LoopbackServer()
        server.route("/post", method: "POST") { request in
            .data(request.body, status: status).header("WWW-Authenticate", "Bearer")
        }
        let urls = URLTaskManager()
        var post = URLRequest(url: server.url("/post"))
        post.httpMethod = "POST"
        post.httpBody = Data("body".utf8)
        let (data, response, error) = await load(urls.session, post)
        #expect(data == Data("body".utf8) && error == nil)
        #expect((response as? HTTPURLResponse)?.statusCode == status)
        server.stop()
    }

    @Test("MG-71: a request whose body can't be read to its end fails unsent, with the stream's error")
    func brokenBody() async throws {
        let server = try LoopbackServer()
        server.route("/post", method: "POST") { .data($0.body) }
        let urls = URLTaskManager()
        var post = URLRequest(url: server.url("/post"))
        post.httpMethod = "POST"
        // A folder can be opened, and can't be read.
        for path in ["/", "/no/such/file"] {
            post.httpBodyStream = InputStream(fileAtPath: path)
            let (data, _, error) = await load(urls.session, post)
            #expect(data == nil && error != nil)
        }
        #expect(server.requests.isEmpty)
        post.httpBodyStream = InputStream(data: Data("body".utf8))
        #expect(await load(urls.session, post).0 == Data("body".utf8))
        server.stop()
    }

    @Test("MG-71: threads that ask for the first session at once get the same one")
    func oneSession() async throws {
        let urls = URLTaskManager()
        let sessions = await withTaskGroup(of: ObjectIdentifier.self) { group in
            for _ in 0..<8 { group.addTask { ObjectIdentifier(urls.session) } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(sessions == [ObjectIdentifier(urls.session)])
        let server = try server()
        #expect(await load(urls.session, URLRequest(url: server.url("/data"))).0 == Data("hello plain".utf8))
        server.stop()
    }

    @Test("MG-71: a connection error is itself, a refused task the manager's error")
    func errors() async throws {
        let server = try LoopbackServer()
        server.route("/lost", .pattern(count: 5000).fault(.reset(after: 0)))
        let refusing = URLTaskManager(interceptors: [Discarding()])
        let (_, _, error) = await load(refusing.session, URLRequest(url: server.url("/lost")))
        #expect((error as? TaskManagerError)?.code == .discarded)
        let plain = URLTaskManager()
        let (_, _, lost) = await load(plain.session, URLRequest(url: server.url("/lost")))
        #expect(lost is URLError)
        #expect(server.requests.count == 1)
        server.stop()
    }

    @Test(
        "MG-71: cancelling a task cancels its handle; the caller sees URLError.cancelled, no reactor is asked"
    )
    func cancelling() async throws {
        let server = try LoopbackServer(), asked = Recorder<Int>(), ended = Recorder<(any Error)?>()
        server.route("/silent", .text("never").fault(.silence))
        let urls = URLTaskManager(reactors: [Asked(asked: asked)])
        let task = urls.session.dataTask(with: URLRequest(url: server.url("/silent"))) { ended.record($2) }
        task.resume()
        await server.waitForRequests()
        task.cancel()
        await ended.waitForCount(1)
        #expect((ended.values[0] as? URLError)?.code == .cancelled)
        await server.waitForClosedConnections()
        try await urls.tasks.waitUntilIdle()
        #expect(asked.count == 0 && urls.tasks.counts.unfinished == 0)
        server.stop()
    }

    @Test("MG-71: upload and download tasks fail as unsupported")
    func unsupported() async throws {
        let urls = URLTaskManager(), ended = Recorder<(any Error)?>()
        let request = try request("http://127.0.0.1:1/")
        urls.session.uploadTask(with: request, from: Data("a".utf8)) { ended.record($2) }.resume()
        urls.session.downloadTask(with: request) { ended.record($2) }.resume()
        await ended.waitForCount(2)
        #expect(ended.values.allSatisfy { ($0 as? TaskManagerError)?.code == .unsupported })
    }

    @Test("MG-72: after a shutdown, and when the manager is gone, nothing leaves un-intercepted")
    func gone() async throws {
        let server = try server()
        var urls: URLTaskManager? = URLTaskManager()
        let session = try #require(urls?.session)
        let request = URLRequest(url: server.url("/data"))
        _ = try await urls?.tasks.shutdown()
        #expect((await load(session, request).2 as? TaskManagerError)?.cancellation == .shutDown)
        await #expect(throws: CancellationError.self) { try await urls?.data(for: request) }
        urls = nil
        #expect((await load(session, request).2 as? TaskManagerError)?.code == .managerReleased)
        // A new manager's session doesn't take the place of one that is kept.
        let next = URLTaskManager()
        #expect(await load(next.session, request).2 == nil)
        #expect((await load(session, request).2 as? TaskManagerError)?.code == .managerReleased)
        #expect(server.requests.count == 1)
        server.stop()
    }
}

private struct Discarding: URLTaskInterceptor {
    func intercept(_ task: inout URLTask, context: InterceptContext) async throws -> InterceptCommand {
        .discard
    }
}

private struct Asked: URLTaskReactor {
    let asked: Recorder<Int>
    func shouldExecute(after outcome: URLTaskResult, of task: URLTask, context: ReactionContext) async
        -> Bool
    {
        asked.record(1)
        return false
    }
}
