import Foundation
import SteplineManager
import SteplineRequests
import SteplineSupport
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Requests through a manager", .timeLimit(.minutes(5)))
struct TokenRefreshTests {
    private func server() throws -> LoopbackServer {
        let server = try LoopbackServer()
        server.route("/data") { request in
            request.headers["Authorization"] == "Bearer new" ? .text("hello") : .status(401)
        }
        server.route("/token", .text("new"))
        return server
    }

    @Test("MG-67 MG-74 MG-92: 200 requests with an expired token make one refresh, and all succeed")
    func refresh() async throws {
        let server = try server(), refreshes = Recorder<Int>(), box = Recorder<URLTaskManager>()
        let login = bearer("old", hosts: ["127.0.0.1"]) { [box] _ in
            refreshes.record(1)
            // By the same door: it passes in spite of the suspension.
            return String(
                decoding: try await box.values[0].data(from: server.url("/token")).data, as: UTF8.self)
        }
        var options = URLTaskManager.Options()
        options.tasks.maximumConcurrency = 20
        options.maximumPerHost = nil
        let manager = URLTaskManager(interceptors: [login], reactors: [login], options: options)
        box.record(manager)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    String(decoding: try await manager.data(from: server.url("/data")).data, as: UTF8.self)
                }
            }
            for try await text in group { #expect(text == "hello") }
        }
        #expect(refreshes.count == 1)
        #expect(server.requests.filter { $0.path == "/token" }.count == 1)
        server.stop()
    }

    @Test("MG-48 MG-75: a refresh that fails fails all that wait for it, with its error")
    func failingRefresh() async throws {
        let server = try server(), gate = Gate(), refused = Recorder<Int>()
        let login = bearer("old", hosts: ["127.0.0.1"]) { _ in
            await gate.wait()
            throw RefreshFailed()
        }
        server.route("/data") { _ in
            refused.record(1)
            return .status(401)
        }
        var options = URLTaskManager.Options()
        options.maximumPerHost = 20
        let manager = URLTaskManager(interceptors: [login], reactors: [login], options: options)
        let handles = (0..<200).map { _ in manager.add(URLRequest(url: server.url("/data"))) }
        // Those that came to their turn while the refresh was under way are held. A request of which the reactors are
        // still being asked doesn't wait for the refresh yet: after the failure its answer begins another one, and the
        // sixth is refused.
        await eventually {
            let waits = handles.map { $0.explain() }.filter {
                ($0.code == .held || $0.code == .reaction) && $0.causes == ["login"]
            }
            return waits.count == 200 && refused.count + waits.count { $0.code == .held } == 200
        }
        gate.open()
        for handle in handles {
            guard case .failure(let error as TaskManagerError) = await handle.outcome() else {
                Issue.record("no error of the manager's")
                continue
            }
            #expect(error.code == .reactorFailed && error.underlying is RefreshFailed, "\(error)")
        }
        server.stop()
    }

    @Test("MG-49 MG-75: a refresh that hangs ends by its time-out")
    func hangingRefresh() async throws {
        let server = try server(), clock = ManualClock(), stuck = Gate()
        let login = bearer("old", hosts: ["127.0.0.1"], timeout: .seconds(30)) { _ in
            await stuck.wait()
            return "late"
        }
        var options = URLTaskManager.Options()
        options.tasks.clock = clock
        let manager = URLTaskManager(interceptors: [login], reactors: [login], options: options)
        let handle = manager.add(URLRequest(url: server.url("/data")))
        await stuck.waitForArrivals()
        clock.advance(by: .seconds(30))
        guard case .failure(let error as TaskManagerError) = await handle.outcome() else {
            Issue.record("no error of the manager's")
            return
        }
        #expect(error.code == .reactorTimedOut && error.actor == "login")
        stuck.open()
        server.stop()
    }

    @Test("MG-68: a refused status is a RequestError, a lost connection the URLError itself")
    func failures() async throws {
        let server = try server()
        let manager = URLTaskManager()
        do {
            _ = try await manager.data(from: server.url("/data"))
            Issue.record("401 was a success")
        } catch let error as RequestError {
            #expect(error.statusCode == 401)
        }
        server.route("/lost", .pattern(count: 5000).fault(.reset(after: 100)))
        await #expect(throws: URLError.self) { try await manager.data(from: server.url("/lost")) }
        server.stop()
    }

    @Test("MG-73: on a plain manager the typed interceptor discards any other task")
    func plain() async {
        let login = bearer("old") { $0 }
        let handle = TaskManager(interceptors: [login], reactors: [login]).add { 1 }
        guard case .failure(let error as TaskManagerError) = await handle.outcome() else {
            Issue.record("no error of the manager's")
            return
        }
        #expect(error.code == .discarded && error.actor == "login")
    }
}
