import Foundation
import SteplineJSON
import SteplineTesting
import Testing

/// What `--report` and `--trace` write.
@Suite("Report and trace of a run", .timeLimit(.minutes(5)))
struct RunFilesTests {
    private let server: LoopbackServer
    private let folder: TemporaryFolder

    init() throws {
        server = try LoopbackServer()
        folder = try TemporaryFolder()
        server.route("/good", .text("x"))
        server.route("/bad", .status(404))
    }

    @Test(
        "both are written, missing folders made, whether the run succeeds or fails",
        arguments: ["/good", "/bad"])
    func written(path: String) async throws {
        let address = server.url(path).absoluteString
        let result = try await BuiltCommand.run(
            ["fetch", address, "--report", "deep/run.html", "--trace", "run.json"], in: folder.url)
        #expect(result.status == (path == "/good" ? 0 : 1))
        #expect(try folder.names() == ["deep", "run.json"])
        let page = try folder.text("deep/run.html")
        #expect(page.contains("<html") && page.contains("</html>") && page.contains(address))
        let trace = try JSON(parsing: try folder.text("run.json"))
        #expect(try trace.query("$..name").contains { $0.string?.contains(address) == true })
    }

    @Test("a run that was interrupted is reported too")
    func interrupted() async throws {
        let gate = Gate()
        server.route("/held", .pattern(count: 10_000).fault(.hold(after: 10, gate)))
        let report = folder.url.appending(path: "run.html")
        let terminal = try Terminal(["fetch", server.url("/held").absoluteString, "--report", report.path])
        #expect(await terminal.waits(for: "0 of 1 done"))
        terminal.type("\u{03}")
        #expect(await terminal.exitCode() == 130)
        #expect(try folder.text("run.html").contains("/held"))
        gate.open()
    }

    @Test("a report that can't be written is told, and the exit code is 1")
    func unwritable() async throws {
        try Data().write(to: folder.url.appending(path: "file"))
        let result = try await BuiltCommand.run(
            ["fetch", server.url("/good").absoluteString, "--report", "file/run.html"], in: folder.url)
        #expect(result.status == 1 && result.output == "x")
        #expect(result.complaints.count == 1 && result.errors.contains("file"))
    }
}
