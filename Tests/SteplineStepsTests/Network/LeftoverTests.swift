import Foundation
import Stepline
import SteplineTesting
import Testing

/// Files that a killed process left in a folder, and links with forbidden targets.
@Suite("Left-over files and links", .timeLimit(.minutes(5)))
struct LeftoverTests {
    let server: LoopbackServer
    let folder: URL

    init() throws {
        server = try LoopbackServer()
        folder = FileManager.default.temporaryDirectory.appending(path: "stepline-left-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("PL-84: temporary files of dead processes are removed by the next that writes there")
    func dead() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in [".stepline-abc.tmp", ".stepline-1.tmp"] {
            try Data("left".utf8).write(to: folder.appending(path: name))
        }
        try Data("mine".utf8).write(to: folder.appending(path: "stepline-abc.tmp"))
        server.route("/a", .text("a"))
        _ = try await run(URLDownloadStep(server.url("/a"), to: folder.appending(path: "a")))
        #expect(try names() == ["a", "stepline-abc.tmp"])
    }

    @Test("PL-84: the temporary file of a download that is under way stays")
    func living() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let gate = Gate()
        server.route("/slow", LoopbackResponse.pattern(count: 2_000_000).fault(.hold(after: 100, gate)))
        server.route("/a", .text("a"))
        let slow = Pipeline("slow") {
            URLDownloadStep(server.url("/slow"), to: folder.appending(path: "slow"))
        }
        try slow.start()
        await server.waitForRequests()
        _ = try await run(URLDownloadStep(server.url("/a"), to: folder.appending(path: "a")))
        #expect(try names().contains { $0.hasPrefix(".stepline-") })
        gate.open()
        #expect(await slow.outcome().error == nil)
        #expect(try names() == ["a", "slow"])
    }

    @Test("PL-69: the temporary file of a killed save goes with the next save, too")
    func saved() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("left".utf8).write(to: folder.appending(path: ".stepline-zz.tmp"))
        var content = Content()
        content.bodyData = Data("x".utf8)
        _ = try await SteplineStepsTests.run(FileSaveStep(folder.appending(path: "b")), content: content)
        #expect(try names() == ["b"])
    }

    @Test("PL-85: a part that is a link is refused, and what it leads to stays as it was")
    func linkedPart() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let victim = folder.appending(path: "victim")
        try Data("precious".utf8).write(to: victim)
        server.route("/a", LoopbackResponse.text("evil").etag("\"1\"").servingRanges())
        for suffix in ["stepline-part", "stepline-part.json"] {
            let link = folder.appending(path: ".a.\(suffix)")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
            var options = DownloadOptions()
            options.resumes = true
            let step = URLDownloadStep(server.url("/a"), to: folder.appending(path: "a"), options: options)
            let error = try? await run(step)
            if suffix == "stepline-part" { #expect(error == nil) }
            #expect(try Data(contentsOf: victim) == Data("precious".utf8))
            try? FileManager.default.removeItem(at: link)
        }
    }
}
