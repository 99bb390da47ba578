import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Bytes as they arrive", .timeLimit(.minutes(5)))
struct ChunksTests {
    let server: LoopbackServer

    init() throws { server = try LoopbackServer() }

    private func all(_ chunks: URLChunks) async throws -> Data {
        var bytes = Data()
        for try await chunk in chunks { bytes += chunk }
        return bytes
    }

    private func error(_ chunks: URLChunks) async -> RequestError? {
        do {
            _ = try await all(chunks)
            return nil
        } catch {
            return error as? RequestError
        }
    }

    @Test("the chunks are the body, each time they are asked for, also empty and redirected")
    func whole() async throws {
        server.route("/large", .pattern(count: 300_000))
        server.route("/empty", .status(204))
        server.route("/moved", .redirect(to: "/large"))
        for path in ["/large", "/moved", "/large"] {
            #expect(try await all(URLChunks(server.url(path))) == pattern(300_000))
        }
        #expect(try await all(URLChunks(server.url("/empty"))).isEmpty)
    }

    @Test(
        "a stream may be larger than a body in memory, unless its options say otherwise", .overCurl)
    func larger() async throws {
        server.route("/huge", .pattern(count: 300 << 20))
        var chunks = URLChunks(server.url("/huge")).makeAsyncIterator()
        #expect(try await chunks.next()?.isEmpty == false)
        await #expect(throws: PipelineError.self) { try await Pipeline.loading(server.url("/huge")).run() }
        var options = LoadOptions()
        options.sizeLimit = 1 << 20
        #expect(await error(URLChunks(server.url("/huge"), options: options))?.code == .tooLarge)
    }

    @Test("PL-102: XML records come out while the rest of the body is still to come")
    func xmlWhileArriving() async throws {
        let records = (1...2000).map { "<item>\($0)</item>\n" }.joined()
        let body = Data("<list>\(records)</list>".utf8)
        let gate = Gate()
        server.route("/list", .data(body).fault(.hold(after: body.count / 10, gate)))
        var read = 0
        for try await item in XML.Stream(of: "item", from: URLChunks(server.url("/list"))) {
            read += 1
            #expect(item.text == "\(read)")
            // Only now may the other nine tenths come.
            if read == 1 { gate.open() }
        }
        #expect(read == 2000)
    }

    @Test("JSON lines come out while the rest of the body is still to come")
    func linesWhileArriving() async throws {
        let body = Data((1...2000).map { "{\"n\": \($0)}\n" }.joined().utf8)
        let gate = Gate()
        server.route("/lines", .data(body).fault(.hold(after: body.count / 10, gate)))
        var read = 0
        for try await line in JSON.Stream(of: .lines, from: URLChunks(server.url("/lines"))) {
            read += 1
            #expect(line["n"]?.int == read)
            if read == 1 { gate.open() }
        }
        #expect(read == 2000)
    }

    @Test(
        "a load that reuses no responses refuses the options for that before it sends anything",
        arguments: ["revalidation", "cache", "sharesEqualLoads"])
    func refusedOptions(name: String) async throws {
        var options = LoadOptions()
        let folder = FileManager.default.temporaryDirectory.appending(path: "chunks-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        switch name {
        case "revalidation": options.revalidation = .memory()
        case "cache": options.cache = .folder(folder)
        default: options.sharesEqualLoads = true
        }
        let url = server.url("/large")
        server.route("/large", .pattern(count: 10))
        let refused = await error(URLChunks(url, options: options))
        #expect(refused?.code == .unsupported && refused?.description.contains(name) == true)
        var settings = URLTaskManager.Options()
        settings.load = options
        let manager = URLTaskManager(options: settings)
        await #expect { _ = try await manager.data(from: url) } throws: {
            ($0 as? RequestError)?.code == .unsupported
        }
        // Pages are cached.
        var pages = URLPages(url, next: .link, options: options).makeAsyncIterator()
        if name == "cache" {
            #expect(try await pages.next() != nil)
        } else {
            await #expect { _ = try await pages.next() } throws: {
                ($0 as? RequestError)?.code == .unsupported
            }
        }
        #expect(server.requests.count == (name == "cache" ? 1 : 0))
    }

    @Test("PL-76, 80, 81: a refused status, too much, too little and silence are errors")
    func faults() async throws {
        server.route("/404", .text("gone", status: 404))
        server.route("/large", .pattern(count: 500_000))
        server.route("/cut", .pattern(count: 500_000).fault(.close(after: 1000)))
        server.route("/silent", .pattern(count: 10).fault(.silence))
        #expect(await error(URLChunks(server.url("/404")))?.statusCode == 404)
        let small = options { $0.sizeLimit = 1000 }
        #expect(await error(URLChunks(server.url("/large"), options: small))?.code == .tooLarge)
        #expect(await error(URLChunks(server.url("/cut")))?.code == .truncated)
        let clock = ManualClock()
        async let silent = error(URLChunks(server.url("/silent"), clock: clock))
        await server.waitForRequests(4)
        await clock.waitForScheduled(after: .seconds(60))
        clock.advance(by: .seconds(3700))
        #expect(await silent?.code == .timedOut)
    }

    @Test("PL-82: dropping the iterator stops the transfer, and so does cancelling the task that waits")
    func stops() async throws {
        server.route("/endless", endless)
        do {
            var iterator = URLChunks(server.url("/endless")).makeAsyncIterator()
            #expect(try await iterator.next() != nil)
        }
        await server.waitForClosedConnections(1)
        server.route("/held", .pattern(count: 10).fault(.stall(after: 5)))
        let url = server.url("/held")
        let task = Task { try await all(URLChunks(url)) }
        await server.waitForRequests(2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await server.waitForClosedConnections(2)
    }
}
