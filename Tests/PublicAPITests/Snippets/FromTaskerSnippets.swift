import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The snippets of "From Tasker", compiled and run.

struct Image: Sendable {
    let width: Int
    init(decoding data: Data) throws {
        guard !data.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
        width = data.count
    }
}

/// Gives its bytes when its gate is open, on another queue.
final class ImageSource: Sendable {
    let bytes: Data, gate: Gate
    let cancels = Recorder<Void>()

    init(_ bytes: Data = Data([1, 2, 3]), gate: Gate) { (self.bytes, self.gate) = (bytes, gate) }

    @discardableResult
    func fetch(_ done: @escaping @Sendable (Data) -> Void) -> Fetch {
        Task { [bytes, gate] in
            await gate.wait()
            done(bytes)
        }
        return Fetch(cancels: cancels)
    }

    struct Fetch: Sendable {
        let cancels: Recorder<Void>
        func cancel() { cancels.record(()) }
    }
}

final class DecodeImage: CallbackTask {
    let source: ImageSource
    init(source: ImageSource) { self.source = source }
    func execute(_ done: TaskCompletion<Image>) {
        source.fetch { data in
            do {
                done(try Image(decoding: data))
            } catch {
                done(throwing: error)
            }
        }
    }
}

final class FetchImage: CallbackTask {
    let source: ImageSource
    init(source: ImageSource) { self.source = source }
    func execute(_ done: TaskCompletion<Data>) {
        let fetch = source.fetch { done($0) }
        done.onCancel { fetch.cancel() }
    }
    func didCancel(because error: TaskManagerError) {
        print(error)
    }
}

struct LinkDown: Error {}

final class Link: Sendable {
    let connects = Recorder<Void>()
    func connect() async throws { connects.record(()) }
}

struct Reconnect: Reactor {
    let link: Link
    var configuration: ReactorConfiguration {
        .init(timeout: .seconds(10), requeuesTask: true, suspendsTaskQueue: true, reinterceptsOnRequeue: true)
    }
    func shouldExecute<T: ManagedTask>(
        after result: Result<T.Success, any Error>, of task: T, context: ReactionContext
    ) async -> Bool {
        if case .failure(let error) = result { error is LinkDown } else { false }
    }
    func execute(_ run: ReactorRun) async throws {
        try await link.connect()
    }
}

final class User: Sendable {
    let refreshes = Recorder<Void>()
    var authorization: String { refreshes.count == 0 ? "Bearer old" : "Bearer new" }
    func refreshToken() async throws { refreshes.record(()) }
}

struct Authorize: URLTaskInterceptor {
    let user: User
    func intercept(_ task: inout URLTask, context: InterceptContext) async throws -> InterceptCommand {
        task.request.setValue(user.authorization, forHTTPHeaderField: "Authorization")
        return .execute
    }
}

struct Refresh: URLTaskReactor {
    let user: User
    var configuration: ReactorConfiguration { .init(requeuesTask: true, reinterceptsOnRequeue: true) }
    func shouldExecute(
        after outcome: URLTaskResult, of task: URLTask, context: ReactionContext
    ) async -> Bool {
        outcome.statusCode == 401
    }
    func execute(_ run: ReactorRun) async throws {
        try await user.refreshToken()
    }
}

@Suite("From Tasker", .timeLimit(.minutes(5)))
struct FromTaskerSnippets {
    struct LoadPage: ManagedTask {
        let url: URL
        func execute() async throws -> Data {
            try await Pipeline.loading(url).run()
        }
    }

    /// A server that knows the new token alone, and a page for all.
    private func makeServer() throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.route("/page", .text("hello"))
        server.route("/page/index.html", .text("index"))
        server.route("/secret") { request in
            request.headers["Authorization"] == "Bearer new" ? .text("secret") : .status(401)
        }
        return server
    }

    @Test("quick look: three ways")
    func quickLook() async throws {
        let server = try makeServer(), url = server.url("/page")
        let page = try await LoadPage(url: url).run()

        LoadPage(url: url).add { result in
            print(result)
        }

        TaskManager.shared.add(LoadPage(url: url)) { result in
            print(result)
        }
        #expect(page == Data("hello".utf8))
        await server.waitForRequests(3)
    }

    @Test("callback code, by await and by completion")
    func callbacks() async throws {
        let gate = Gate()
        gate.open()
        let source = ImageSource(gate: gate)
        let image = try await DecodeImage(source: source).run()

        DecodeImage(source: source).add { outcome in
            print(outcome)
        }
        #expect(image.width == 3)
        await gate.waitForArrivals(2)
        let broken = ImageSource(Data(), gate: gate)
        await #expect(throws: CocoaError.self) { try await DecodeImage(source: broken).run() }
    }

    @Test("a cancelled task stops what it has begun")
    func stopping() async throws {
        let source = ImageSource(gate: Gate())
        let handle = FetchImage(source: source).add(to: TaskManager())
        await source.gate.waitForArrivals()
        handle.cancel()
        await source.cancels.waitForCount(1)
        await #expect(throws: CancellationError.self) { try await handle.value }
        source.gate.open()
    }

    @Test("now, later, after a while, and never")
    func starting() async throws {
        let runs = Recorder<Void>(), clock = ManualClock(runsByItself: true)
        let task = AnyManagedTask("count") { runs.record(()) }
        do {
            let manager = TaskManager()
            manager.add(task)
            TaskManager.shared.add(task)

            let handle = manager.add(task, options: .init(startsImmediately: false))
            handle.start()
            await runs.waitForCount(3)
        }
        do {
            let manager = TaskManager(options: .init(clock: clock))
            manager.add(task, options: .init(after: .seconds(30)))
            await runs.waitForCount(4)
            let handle = manager.add(task, options: .init(startsImmediately: false))
            handle.cancel("not needed")
            #expect(handle.state == .finished(.cancelled))
        }
    }

    @Test("intercepting")
    func intercepting() async throws {
        struct LoadPage: ManagedTask {
            var url: URL
            func execute() async throws -> Data {
                try await Pipeline.loading(url).run()
            }
        }
        let server = try makeServer(), url = server.url("/page")
        struct Batch: Interceptor {
            func intercept<T: ManagedTask>(
                _ task: inout T, context: InterceptContext
            ) async -> InterceptCommand {
                context.heldCount < 9 ? .hold : .execute
            }
        }
        let manager = TaskManager(interceptors: [
            .only(LoadPage.self) { page, _ in
                page.url.append(path: "index.html")
                return .execute
            },
            Batch(),
        ])
        let pages = try await manager.values(of: (0..<10).map { _ in LoadPage(url: url) })
        #expect(pages == Array(repeating: Data("index".utf8), count: 10))
    }

    @Test("reacting")
    func reacting() async throws {
        let link = Link()
        let manager = TaskManager(reactors: [Reconnect(link: link)])
        let number = try await manager.run("send") {
            guard link.connects.count > 0 else { throw LinkDown() }
            return 7
        }
        #expect(number == 7 && link.connects.count == 1)
    }

    @Test("an expression, and a closure with a callback")
    func expressions() async throws {
        let loads = Recorder<Void>()
        @Sendable func loadVideoFile() throws -> String {
            loads.record(())
            return "video"
        }
        AnyManagedTask.evaluating(try loadVideoFile()).add { outcome in
            switch outcome {
            case .success(let video): print(video)
            case .failure(let error): print(error)
            case .cancelled(let reason): print(reason)
            }
        }

        let number = try await AnyManagedTask<Int> { (done: TaskCompletion<Int>) in
            DispatchQueue.global().async { done(5) }
        }.run()
        #expect(number == 5)
        await loads.waitForCount(1)
    }

    @Test("requests: a header, and a token that is refreshed")
    func requests() async throws {
        let server = try makeServer(), url = server.url("/secret"), user = User()
        let urls = URLTaskManager(interceptors: [Authorize(user: user)], reactors: [Refresh(user: user)])
        let reply = try await urls.data(from: url)
        let (data, response) = try await urls.session.data(from: url)
        #expect(reply.data == Data("secret".utf8) && data == reply.data)
        #expect((response as? HTTPURLResponse)?.statusCode == 200 && user.refreshes.count == 1)
    }

    @Test("an upload and a download through the manager")
    func transfers() async throws {
        let server = try LoopbackServer()
        server.route("/photo", method: "POST") { request in .text("\(request.body.count)") }
        server.route("/photo", method: "GET", .text("photo"))
        let folder = FileManager.default.temporaryDirectory.appending(path: "tasker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let photo = folder.appending(path: "photo"), copy = folder.appending(path: "copy")
        try Data("pixels".utf8).write(to: photo)
        let urls = URLTaskManager(), request = URLRequest(url: server.url("/photo"))
        let sent = try await urls.upload(request, body: .file(photo, type: "image/png"))
        let file = try await urls.download(request, to: copy)
        #expect(sent.data == Data("6".utf8) && file.statusCode == 200)
        #expect(try String(contentsOf: copy, encoding: .utf8) == "photo")
    }

    @Test("cancelling everything, or a part of it")
    func cancellingAll() async throws {
        func makeManager() -> (TaskManager, [TaskHandle<Int>]) {
            let manager = TaskManager()
            manager.pause()
            let photo = manager.add("photo", options: .init(tags: ["photos"])) { 1 }
            let thumbnail = manager.add("thumbnail") { 2 }
            return (manager, [photo, thumbnail])
        }
        do {
            let (manager, handles) = makeManager()
            manager.cancelAll(tagged: "photos", "the album was closed")
            manager.cancelAll { handle in handle.name == "thumbnail" }
            #expect(handles.allSatisfy { $0.state == .finished(.cancelled) })
        }
        let (manager, handles) = makeManager()
        manager.cancelAll()
        manager.cancelAll(tagged: "photos", "the album was closed")
        manager.cancelAll { handle in handle.name == "thumbnail" }
        #expect(handles.allSatisfy { $0.state == .finished(.cancelled) })
        let end = try await manager.shutdown(draining: .seconds(30))
        print(end.finished, end.cancelled, end.abandoned)
        #expect(end.abandoned == 0)
    }

    @Test("both in one")
    func authenticator() async throws {
        @Sendable func renew(_ old: String) async throws -> String { "new" }
        let token = "old"
        let login = URLAuthenticator(token, hosts: ["api.example.com"]) { token, request in
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        } refresh: { old in
            try await renew(old)
        }
        let urls = URLTaskManager(interceptors: [login], reactors: [login])
        #expect(login.credential == "old" && urls.tasks.reactors.count == 1)
    }

    @Test("the log")
    func logging() async throws {
        let log = StepLog(synchronous: true)
        log.addSink { record in print(record.line) }
        let manager = TaskManager(options: .init(log: log))
        let lines = Recorder<String>()
        log.addSink { record in lines.record(record.line) }
        try await manager.run("logged") {}
        try await manager.waitUntilIdle()
        #expect(lines.values.contains { $0.contains("logged") })
    }
}
