import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Loads through a URLTaskManager", .timeLimit(.minutes(5)))
struct ManagedLoadTests {
    private let transport = TransportDouble()

    @Test("MG-77: a limit above the transport's own also raises that one", .overCurl)
    func above() async throws {
        let server = try LoopbackServer(), gate = Gate()
        server.route("/slow", .text("done").fault(.hold(after: 0, gate)))
        let urls = URLTaskManager(options: .init(maximumPerHost: 10))
        let handles = (0..<12).map { _ in urls.add(URLRequest(url: server.url("/slow"))) }
        await gate.waitForArrivals(10)
        #expect(server.requests.count == 10)
        gate.open()
        for handle in handles { _ = try await handle.value }
        #expect(server.requests.count == 12)
    }

    @Test("MG-67: a chain's download passes the manager's interceptors and reactors")
    func chain() async throws {
        let url = try #require(URL(string: "https://example.com/a"))
        transport.on("GET", "https://example.com/a", .status(503), .text("[1, 2]"))
        let urls = URLTaskManager(
            interceptors: [.adapting { $0.setValue("1", forHTTPHeaderField: "X") }],
            reactors: [.retrying(base: .zero)], transport: transport)
        let chain = Pipeline("chain") {
            URLLoadStep(url, through: urls)
            JSONDecodeStep<[Int]>()
        }
        #expect(try await chain.run() == [1, 2])
        #expect((chain.content?[.urlResponse] as? HTTPURLResponse)?.statusCode == 200)
        #expect(transport.requests.map { $0.value(forHTTPHeaderField: "X") } == ["1", "1"])
    }

    @Test("MG-67: a refused status leaves body and response; a manager's end fails the step")
    func failures() async throws {
        let url = try #require(URL(string: "https://example.com/a"))
        transport.on("GET", "https://example.com/a", .text("gone", status: 404))
        let urls = URLTaskManager(transport: transport)
        let pipeline = Pipeline("refused") { URLLoadStep(url, through: urls) }
        do {
            _ = try await pipeline.run()
            Issue.record("404 was a success")
        } catch {
            #expect((error as? PipelineError)?.underlying(as: RequestError.self)?.statusCode == 404)
        }
        #expect(pipeline.content?.bodyData == Data("gone".utf8))
        _ = try await urls.tasks.shutdown()
        do {
            _ = try await Pipeline("late") { URLLoadStep(url, through: urls) }.run()
            Issue.record("a load after the shutdown was a success")
        } catch {
            #expect(
                (error as? PipelineError)?.underlying(as: TaskManagerError.self)?.cancellation == .shutDown)
        }
    }

    @Test("MG-69: a cancelled step ends its handle, and the transfer stops")
    func cancelling() async throws {
        let url = try #require(URL(string: "https://example.com/a"))
        transport.on("GET", "https://example.com/a", .silence)
        let urls = URLTaskManager(transport: transport)
        let pipeline = Pipeline("silent") { URLLoadStep(url, through: urls) }
        try pipeline.start()
        await transport.waitForRequests()
        pipeline.cancel()
        await transport.waitForStops()
        _ = await pipeline.outcome()
        #expect(urls.tasks.counts.unfinished == 0)
    }

    @Test("MG-69: the check finds load options that a manager can't serve")
    func check() throws {
        let url = try #require(URL(string: "https://example.com/a"))
        let urls = URLTaskManager(transport: transport)
        let step = URLLoadStep(url, through: urls, options: options { $0.revalidation = .memory() })
        #expect(step.configurationProblems.count == 1)
        #expect((step.makeCopy() as? URLLoadStep)?.configurationProblems.count == 1)
    }

    @Test("MG-69: a download is the whole file or the old one; a refused status's body goes into the error")
    func download() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stepline-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "deep/file")
        transport.on(
            "GET", "https://example.com/a", .text("whole"), .text("no", status: 404),
            .text("0123456789").header("Content-Length", "10").dropping(after: 5))
        let urls = URLTaskManager(transport: transport)
        let url = try #require(URL(string: "https://example.com/a"))
        let reply = try await urls.download(url, to: file)
        #expect(reply.file == file && reply.data.isEmpty && reply.statusCode == 200)
        do {
            _ = try await urls.download(url, to: file)
            Issue.record("404 was a success")
        } catch let error as RequestError {
            #expect(error.text == "no")
        }
        await #expect(throws: (any Error).self) { try await urls.download(url, to: file) }
        #expect(try Data(contentsOf: file) == Data("whole".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "deep").path)
        #expect(names == ["file"])
    }

    @Test(
        "MG-69 MG-76: a retried download with `resumes` asks for the rest; cancelled without it leaves no part"
    )
    func resuming() async throws {
        let server = try LoopbackServer()
        let folder = FileManager.default.temporaryDirectory.appending(path: "stepline-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let count = 1 << 20
        let whole = LoopbackResponse.pattern(count: count).etag("\"v1\"").servingRanges()
        server.route("/a", inTurn: [whole.fault(.reset(after: 700_000)), whole])
        var managed = URLTaskManager.Options()
        managed.maximumConcurrency = 1
        managed.grace = .seconds(600)
        let urls = URLTaskManager(reactors: [.retrying(base: .zero)], options: managed)
        var options = DownloadOptions()
        options.resumes = true
        let file = folder.appending(path: "file")
        let reply = try await urls.download(server.url("/a"), to: file, options: options)
        #expect(reply.metrics.attempts == 2)
        #expect(try Data(contentsOf: file) == pattern(count))
        #expect(server.requests.last?["Range"] != nil)
        let gate = Gate()
        server.route("/b", whole.fault(.hold(after: 1000, gate)))
        let other = folder.appending(path: "other")
        let running = Task { try await urls.download(server.url("/b"), to: other) }
        await server.waitForRequests(3)
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        // A stopped request has its slot until all of it has ended.
        try await urls.tasks.run {}
        gate.open()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
        server.stop()
    }
}
