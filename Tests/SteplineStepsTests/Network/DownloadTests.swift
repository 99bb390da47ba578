import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("URLDownloadStep", .timeLimit(.minutes(5)))
struct DownloadTests {
    let server: LoopbackServer
    let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
    }

    private func download(
        _ path: String, to name: String = "file", _ change: (inout DownloadOptions) -> Void = { _ in }
    ) -> URLDownloadStep {
        var options = DownloadOptions()
        change(&options)
        return URLDownloadStep(server.url(path), to: folder[name], options: options)
    }

    private func bytes(_ name: String = "file") -> Data? { try? Data(contentsOf: folder[name]) }

    @Test("PL-84: a download writes the file, makes directories, and its URL goes on")
    func plain() async throws {
        server.route("/a", .pattern(count: 300_000).chunked())
        let content = try await run(download("/a", to: "deep/er/file"))
        #expect(content.bodyObject as? URL == folder["deep/er/file"])
        #expect(content.httpURLResponse?.statusCode == 200 && content.bodyData == nil)
        #expect(bytes("deep/er/file") == pattern(300_000))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder["deep/er"].path)
        #expect(names == ["file"])
        let typed: URL = try await Pipeline.run { URLDownloadStep(server.url("/a"), to: folder["b"]) }
        #expect(typed == folder["b"])
    }

    @Test("PL-84: whatever goes wrong, the old file stays and nothing else is left", arguments: 0..<6)
    func oldFileStays(_ which: Int) async throws {
        try Data("old".utf8).write(to: folder["file"])
        let faulty: [LoopbackResponse] = [
            .pattern(count: 9000).fault(.reset(after: 4000)),
            .pattern(count: 9000).fault(.close(after: 4000)),
            .pattern(count: 9000).announcing(length: 10_000), .text("no", status: 500), endless,
            .raw(head: "garbage\r\n\r\n"),
        ]
        server.route("/f", faulty[which])
        let step = download("/f") { $0.sizeLimit = 20_000 }
        let error = try #require(await requestError(step))
        let codes: [RequestError.Code] = [
            .truncated, .truncated, .truncated, .status, .tooLarge, .connection,
        ]
        #expect(error.code == codes[which])
        #expect(which != 3 || error.text == "no")
        #expect(try folder.names() == ["file"] && bytes() == Data("old".utf8))
    }

    @Test("PL-84, PL-82: a cancelled download leaves the old file and no other")
    func cancelled() async throws {
        try Data("old".utf8).write(to: folder["file"])
        server.route("/f", .pattern(count: 900_000).fault(.stall(after: 100_000)))
        let events = Recorder<Void>()
        let pipeline = Pipeline()
        try pipeline.addStep(download("/f"))
        let stream = pipeline.events
        let watching = Task {
            for await event in stream { if case .progressed = event.kind { events.record(()) } }
        }
        try pipeline.start()
        await events.waitForCount(1)
        #expect(try folder.names().count == 2)
        pipeline.cancel()
        #expect(try folder.names() == ["file"] && bytes() == Data("old".utf8))
        await server.waitForClosedConnections()
        await watching.value
    }

    @Test("PL-84: a failed write is an error with the system's cause")
    func unwritable() async throws {
        server.route("/f", .text("x"))
        try FileManager.default.createDirectory(at: folder["dir"], withIntermediateDirectories: true)
        let failure = await #expect(throws: PipelineError.self) { try await run(download("/f", to: "dir")) }
        #expect(failure?.underlying(as: FileError.self)?.code == .notRegular)
        try Data().write(to: folder["file"])
        let inFile = await #expect(throws: PipelineError.self) { try await run(download("/f", to: "file/x")) }
        #expect(inFile?.underlying(as: FileError.self)?.code == .system)
        let issues = Pipeline.downloading(server.url("/f"), to: server.url("/f")).check()
        #expect(issues.contains { $0.severity == .error })
        #expect(server.requests.isEmpty)
    }

    @Test("PL-12: a copy downloads the same to the same place")
    func copy() async throws {
        server.route("/f", .text("x"))
        let copy = download("/f").named("feed").makeCopy()
        _ = try await run(copy)
        #expect(bytes() == Data("x".utf8) && copy.options.name == "feed")
    }
}
