import Foundation
import Stepline
import SteplineTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Shared loads", .timeLimit(.minutes(5)))
struct SharedLoadTests {
    let server: LoopbackServer
    let gate = Gate()

    init() throws {
        server = try LoopbackServer()
        let gate = gate
        server.route("/a") { request in
            gate.block()
            return .text("a\(request["Authorization"] ?? "")")
        }
    }

    private func start(
        _ headers: [String: String] = [:], _ path: String = "/a", method: String = "GET"
    ) throws -> Pipeline<Data> {
        let pipeline = Pipeline.loading(
            request(server.url(path), method: method, headers: headers),
            options: options { $0.sharesEqualLoads = true })
        try pipeline.start()
        return pipeline
    }

    @Test("PL-87: equal loads at once make one transfer, and each gets its result")
    func shares() async throws {
        let first = try start()
        await gate.waitForArrivals()
        let others = try (0..<5).map { _ in try start() }
        for pipeline in others { #expect(pipeline.isExecuting) }
        // All have joined once the last of them waits for its body, which `explain` can't tell; so let one
        // more load, of another URL, come and go behind them on the same executor.
        server.route("/b", .text("b"))
        _ = try await run(URLLoadStep(server.url("/b")))
        gate.open()
        for pipeline in [first] + others {
            #expect(await pipeline.outcome().requestError == nil)
            #expect(pipeline.content?.bodyData == Data("a".utf8))
        }
        #expect(server.requests.filter { $0.path == "/a" }.count < 6)
    }

    @Test("PL-87: other credentials, headers or methods are never equal")
    func apart() async throws {
        let kinds = [[:], ["Authorization": "1"], ["Authorization": "2"], ["Cookie": "x"], ["X-A": "1"]]
        var pipelines = try kinds.map { try start($0) }
        pipelines.append(try start(method: "DELETE"))
        await gate.waitForArrivals(kinds.count + 1)
        gate.open()
        for pipeline in pipelines { #expect(await pipeline.outcome().requestError == nil) }
        #expect(pipelines[1].content?.bodyData == Data("a1".utf8))
        #expect(pipelines[2].content?.bodyData == Data("a2".utf8))
        #expect(server.requests.count == kinds.count + 1)
    }

    @Test("PL-87: all users of a shared load get its error")
    func errors() async throws {
        server.route("/a") { [gate] _ in
            gate.block()
            return .text("no", status: 500)
        }
        let pipelines = try (0..<3).map { _ in try start() }
        await gate.waitForArrivals()
        gate.open()
        for pipeline in pipelines { #expect(await pipeline.outcome().requestError?.statusCode == 500) }
    }

    @Test("PL-87: without the option each load makes its own transfer")
    func unshared() async throws {
        let pipelines = try (0..<3).map { _ in
            let pipeline = Pipeline.loading(server.url("/a"))
            try pipeline.start()
            return pipeline
        }
        await gate.waitForArrivals(3)
        gate.open()
        for pipeline in pipelines { #expect(await pipeline.outcome().requestError == nil) }
    }
}
