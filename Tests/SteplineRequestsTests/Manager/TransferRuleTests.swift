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

@Suite("Requests through a manager, as any load", .timeLimit(.minutes(5)))
struct TransferRuleTests {
    @Test("MG-69: redirects are followed below interception, the caller gets the last response")
    func redirects() async throws {
        let server = try LoopbackServer(), asked = Recorder<String>()
        server.route("/a", .redirect(to: "/b"))
        server.route("/b", .text("hello"))
        let urls = URLTaskManager(interceptors: [
            .adapting { asked.record($0.url?.path() ?? "") }
        ])
        let reply = try await urls.data(from: server.url("/a"))
        #expect(reply.response.url?.path() == "/b" && reply.data == Data("hello".utf8))
        #expect(asked.values == ["/a"] && server.requests.count == 2)
        server.routeEndlessRedirects("/loop")
        let failure = await urls.add(URLRequest(url: server.url("/loop"))).failure
        #expect((failure as? RequestError)?.code == .tooManyRedirects)
        server.stop()
    }

    @Test("MG-69: schemes, sizes and times are limited; a short body is no success")
    func limits() async throws {
        let transport = TransportDouble(), clock = ManualClock()
        transport.on("GET", "https://example.com/large", .text("0123456789"))
        transport.on("GET", "https://example.com/short", .text("0123").header("Content-Length", "10"))
        transport.on("GET", "https://example.com/silent", .silence)
        let urls = URLTaskManager(
            transport: transport,
            options: managerOptions(clock) {
                $0.load.sizeLimit = 9
                $0.load.idleTimeout = .seconds(5)
                $0.load.schemes = ["https"]
            })
        func code(_ url: String) async throws -> RequestError.Code? {
            (await urls.add(try request(url)).failure as? RequestError)?.code
        }
        #expect(try await code("https://example.com/large") == .tooLarge)
        #expect(try await code("https://example.com/short") == .tooLarge)
        #expect(try await code("http://example.com/") == .scheme)
        let silent = urls.add(try request("https://example.com/silent"))
        await transport.waitForRequests(3)
        await clock.waitForScheduled(after: .seconds(5))
        await eventually {
            clock.advance(by: .seconds(5))
            return silent.state.isFinished
        }
        #expect((await silent.failure as? RequestError)?.code == .timedOut)
    }

    @Test("MG-69: upload bodies are data, JSON or a file; a missing file fails before connecting")
    func uploads() async throws {
        let server = try LoopbackServer()
        server.route("/up") {
            .data($0.body).header("X-Type", $0["Content-Type"] ?? "").header("X-Method", $0.method)
        }
        let urls = URLTaskManager(), up = URLRequest(url: server.url("/up"))
        let data = try await urls.upload(up, body: .data(Data("abc".utf8), type: "text/x"))
        #expect(data.data == Data("abc".utf8))
        #expect((data.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Type") == "text/x")
        #expect((data.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Method") == "POST")
        #expect(try await urls.upload(up, body: .json(["a": 1])).data == Data("{\"a\":1}".utf8))
        let file = FileManager.default.temporaryDirectory.appending(path: "stepline-\(UUID().uuidString)")
        try Data("file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try await urls.upload(up, body: .file(file)).data == Data("file".utf8))
        await #expect(throws: RequestError.self) {
            try await urls.upload(up, body: .file(file.appendingPathExtension("no")))
        }
        #expect(server.requests.count == 3)
        server.stop()
    }

    @Test("MG-69: ending a handle stops its transfer, and the peer sees the connection close")
    func ending() async throws {
        let server = try LoopbackServer()
        server.route("/silent", .text("never").fault(.silence))
        let handle = URLTaskManager().add(URLRequest(url: server.url("/silent")))
        await server.waitForRequests()
        handle.cancel()
        await server.waitForClosedConnections()
        #expect(await handle.outcome().cancellation == .requested)
        server.stop()
    }

    @Test("MG-70: the configuration's headers hold, and its object isn't changed")
    func configuration() async throws {
        let server = try LoopbackServer()
        server.route("/a", .text("ok"))
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Mine": "1"]
        let urls = URLTaskManager(configuration: configuration)
        configuration.httpAdditionalHeaders = ["X-Mine": "2"]
        _ = try await urls.data(from: server.url("/a"))
        #expect(server.requests.last?["X-Mine"] == "1")
        _ = try await urls.session.data(from: server.url("/a"))
        #expect(server.requests.last?["X-Mine"] == "1")
        #expect(configuration.protocolClasses?.contains { "\($0)".contains("Gate") } != true)
        server.stop()
    }

    @Test("MG-80: the double answers by rules, the n-th time otherwise, drops, and fails the unexpected")
    func double() async throws {
        let transport = TransportDouble(), url = "https://example.com/a"
        transport.on("GET", url, .text("one"), .text("abcdef").dropping(after: 3), .text("three"))
        let urls = URLTaskManager(
            interceptors: [.adapting { $0.setValue("1", forHTTPHeaderField: "X") }], transport: transport)
        #expect(try await urls.data(for: request(url)).data == Data("one".utf8))
        #expect((await urls.add(try request(url)).failure as? URLError)?.code == .networkConnectionLost)
        #expect(try await urls.data(for: request(url)).data == Data("three".utf8))
        #expect(try await urls.data(for: request(url)).data == Data("three".utf8))
        let unexpected = await urls.add(try request(url, method: "POST")).failure as? RequestError
        #expect(unexpected?.underlying is UnexpectedRequest)
        #expect(transport.requests.allSatisfy { $0.value(forHTTPHeaderField: "X") == "1" })
    }

    @Test("MG-80 MG-93: the double's delays go by its clock")
    func delays() async throws {
        let clock = ManualClock(), transport = TransportDouble(clock: clock)
        transport.on("GET", "https://example.com/a", .text("late").after(.seconds(30)))
        let handle = URLTaskManager(transport: transport).add(try request("https://example.com/a"))
        await transport.waitForRequests()
        await clock.waitForScheduled()
        #expect(handle.state == .executing(nil))
        clock.advance(by: .seconds(30))
        #expect(try await handle.value.data == Data("late".utf8))
    }
}
