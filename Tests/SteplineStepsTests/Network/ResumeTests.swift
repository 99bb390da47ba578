import Foundation
import Stepline
import SteplineTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Resuming downloads", .timeLimit(.minutes(5)))
struct ResumeTests {
    let server: LoopbackServer
    let folder: TemporaryFolder
    let whole = pattern(50_000)

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
    }

    private var step: URLDownloadStep {
        var options = DownloadOptions()
        options.resumes = true
        return URLDownloadStep(server.url("/f"), to: folder["file"], options: options)
    }

    private var answer: LoopbackResponse { .data(whole).etag("\"v1\"").servingRanges() }

    /// Has a first run break off after some bytes.
    private func breakOff(after count: Int = 20_000, _ response: LoopbackResponse? = nil) async throws {
        server.route("/f", (response ?? answer).fault(.close(after: count)))
        #expect(await requestError(step)?.code == .truncated)
        #expect((try? Data(contentsOf: folder["file"])) == nil)
    }

    private func expectWhole(_ expected: Data? = nil) throws {
        #expect(try Data(contentsOf: folder["file"]) == expected ?? whole)
        #expect(try folder.names() == ["file"])
    }

    @Test("PL-85: the next run asks for the rest with Range and If-Range, and a fitting 206 is appended")
    func resumes() async throws {
        try await breakOff()
        #expect(try folder.names() == [".file.stepline-part", ".file.stepline-part.json"])
        server.route("/f", answer)
        let content = try await run(step)
        #expect(content.httpURLResponse?.statusCode == 206)
        #expect(server.requests[1]["Range"] == "bytes=20000-" && server.requests[1]["If-Range"] == "\"v1\"")
        try expectWhole()
    }

    @Test("PL-85: a part outlives failure after failure, and cancelling")
    func again() async throws {
        try await breakOff(after: 10_000)
        server.route("/f", answer.fault(.close(after: 10_000)))
        #expect(await requestError(step)?.code == .truncated)
        #expect(server.requests.last?["Range"] == "bytes=10000-")
        let gate = Gate()
        server.route("/f", answer.fault(.hold(after: 5000, gate)))
        let pipeline = Pipeline()
        try pipeline.addStep(step)
        let progressed = Recorder<Void>()
        let events = pipeline.events
        let watching = Task {
            for await event in events { if case .progressed = event.kind { progressed.record(()) } }
        }
        try pipeline.start()
        await progressed.waitForCount(1)
        pipeline.cancel()
        gate.open()
        await watching.value
        server.route("/f", answer)
        _ = try await run(step)
        #expect(server.requests.last?["Range"]?.hasPrefix("bytes=2") == true)
        try expectWhole()
    }

    @Test("PL-85: a file that has changed starts anew")
    func changed() async throws {
        try await breakOff()
        let other = Data(whole.reversed())
        server.route("/f", .data(other).etag("\"v2\"").servingRanges())
        _ = try await run(step)
        #expect(server.requests.count == 2)
        try expectWhole(other)
    }

    @Test(
        "PL-85: an answer that doesn't fit starts anew",
        arguments: [
            ("bytes 19999-49999/50000", "\"v1\""), ("bytes 20000-49999/60000", "\"v1\""),
            ("bytes 20000-40000/50000", "\"v1\""), ("bytes 20000-49999/50000", "\"v2\""),
            ("bytes 20000-40000/*", "\"v1\""), ("nonsense", "\"v1\""),
        ])
    func misfits(_ range: String, _ tag: String) async throws {
        try await breakOff()
        let misfit = LoopbackResponse.data(Data(repeating: 0, count: 30_000), status: 206)
            .header("Content-Range", range).etag(tag)
        let plain = answer
        server.route("/f") { $0["Range"] == nil ? plain : misfit }
        _ = try await run(step)
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=20000-", nil])
        try expectWhole()
    }

    @Test("PL-85: a range that leaves the total open is taken if the part's is known, else starts anew")
    func openTotal() async throws {
        let plain = answer
        let rest = LoopbackResponse.data(whole.dropFirst(20_000), status: 206).etag("\"v1\"")
            .header("Content-Range", "bytes 20000-49999/*")
        try await breakOff()
        server.route("/f") { $0["Range"] == nil ? plain : rest }
        _ = try await run(step)
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=20000-"])
        try expectWhole()
        try FileManager.default.removeItem(at: folder["file"])
        try await breakOff(answer.chunked())
        server.route("/f") { $0["Range"] == nil ? plain : rest }
        _ = try await run(step)
        #expect(server.requests.dropFirst(2).map { $0["Range"] } == [nil, "bytes=20000-", nil])
        try expectWhole()
    }

    @Test("PL-85: a chunked 206 with fewer bytes than its range is an error, and the next run goes on")
    func shortRest() async throws {
        try await breakOff()
        server.route("/f", rest(whole[20_000..<30_000]))
        let error = await requestError(step)
        #expect(error?.code == .truncated)
        #expect(error?.description.contains("30000 of 50000 bytes") == true)
        #expect(try folder.names() == [".file.stepline-part", ".file.stepline-part.json"])
        server.route("/f", answer)
        _ = try await run(step)
        #expect(server.requests.last?["Range"] == "bytes=30000-")
        try expectWhole()
    }

    @Test("PL-85: a chunked 206 with more bytes than its range starts anew")
    func longRest() async throws {
        try await breakOff()
        let plain = answer
        let long = rest(pattern(30_001))
        server.route("/f") { $0["Range"] == nil ? plain : long }
        _ = try await run(step)
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=20000-", nil])
        try expectWhole()
    }

    /// An answer for the rest behind 20,000 bytes, of which the length isn't announced.
    private func rest(_ bytes: Data) -> LoopbackResponse {
        LoopbackResponse.data(bytes, status: 206).etag("\"v1\"").chunked()
            .header("Content-Range", "bytes 20000-49999/50000")
    }

    @Test("PL-85: 416 for a part that is the whole is a success, any other starts anew")
    func unsatisfiable() async throws {
        let status = LoopbackResponse.text("no such range", status: 416)
        try await breakOff()
        let plain = answer
        server.route("/f") { request in
            request["Range"] == nil ? plain : status.header("Content-Range", "bytes */20000")
        }
        _ = try await run(step)
        try expectWhole()
        #expect(server.requests.count == 3)
        // A part that is complete but was never moved into place.
        try FileManager.default.removeItem(at: folder["file"])
        try await breakOff()
        let handle = try FileHandle(forWritingTo: folder[".file.stepline-part"])
        try handle.seekToEnd()
        try handle.write(contentsOf: whole.dropFirst(20_000))
        try handle.close()
        server.route("/f", answer)
        _ = try await run(step)
        #expect(server.requests.last?["Range"] == "bytes=50000-")
        try expectWhole()
    }

    @Test(
        "PL-85: a weak validator, or none, never resumes",
        arguments: [
            ["ETag": "W/\"v1\""], [:], ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
            [
                "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:39 GMT",
            ],
        ])
    func weak(_ headers: [String: String]) async throws {
        let response = headers.reduce(LoopbackResponse.data(whole).servingRanges()) {
            $0.header($1.key, $1.value)
        }
        try await breakOff(response)
        #expect(try folder.names() == [])
        server.route("/f", response)
        _ = try await run(step)
        #expect(server.requests.last?["Range"] == nil)
        try expectWhole()
    }

    @Test("PL-85: a date of change that is old enough resumes")
    func date() async throws {
        let response = LoopbackResponse.data(whole).servingRanges()
            .header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
            .header("Date", "Mon, 07 Nov 1994 08:49:37 GMT")
        try await breakOff(response)
        server.route("/f", response)
        _ = try await run(step)
        #expect(server.requests.last?["If-Range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        try expectWhole()
    }

    @Test("PL-85: a damaged note, or one of another URL, is ignored", arguments: ["", "{}", "other"])
    func damaged(_ note: String) async throws {
        try await breakOff()
        let other = #"{"source":"http://127.0.0.1/other","validator":"\"v1\"","total":50000}"#
        try Data((note == "other" ? other : note).utf8).write(to: folder[".file.stepline-part.json"])
        server.route("/f", answer)
        _ = try await run(step)
        #expect(server.requests.last?["Range"] == nil)
        try expectWhole()
    }

    @Test("PL-85: two downloads of one file at once don't share a part")
    func twoAtOnce() async throws {
        let gate = Gate()
        server.route("/f", answer.fault(.hold(after: 20_000, gate)))
        let pipelines = try (0..<2).map { _ in
            let pipeline = Pipeline()
            try pipeline.addStep(step)
            try pipeline.start()
            return pipeline
        }
        await gate.waitForArrivals(2)
        gate.open()
        for pipeline in pipelines {
            let outcome = await pipeline.outcome()
            guard case .success = outcome else { Issue.record("\(outcome)"); return }
        }
        try expectWhole()
    }

    #if os(Linux)
        @Test("PL-85: a part is free at once though a program that was started meanwhile has its file open")
        func copied() async throws {
            let gate = Gate()
            server.route("/f", answer.fault(.hold(after: 20_000, gate)))
            let pipeline = Pipeline()
            try pipeline.addStep(step)
            let events = pipeline.events
            try pipeline.start()
            for await event in events {
                if case .progressed = event.kind { break }
            }
            // As a child has one from its start until it becomes another program.
            let copy = try dup(#require(descriptors(of: folder[".file.stepline-part"]).first))
            defer { close(copy) }
            pipeline.cancel()
            gate.open()
            server.route("/f", answer)
            _ = try await run(step)
            #expect(server.requests.last?["Range"] != nil)
            try expectWhole()
        }

        /// The numbers under which this process has a file open.
        private func descriptors(of file: URL) throws -> [Int32] {
            let own = "/proc/self/fd"
            return try FileManager.default.contentsOfDirectory(atPath: own).filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(own)/\($0)")) == file.path
            }.compactMap { Int32($0) }
        }
    #endif

    @Test("PL-85: a part and the rest together keep to the size limit")
    func limit() async throws {
        try await breakOff()
        server.route("/f", answer)
        var options = DownloadOptions()
        options.resumes = true
        options.sizeLimit = 49_999
        let small = URLDownloadStep(server.url("/f"), to: folder["file"], options: options)
        #expect(await requestError(small)?.code == .tooLarge)
    }
}
