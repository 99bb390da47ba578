import Foundation
import SteplineJSON
import SteplineTesting
import TestSupport
import Testing

@testable import SteplineCommand

/// The files of `--report` and `--trace`.
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
        let result = try await Command.run(
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

    @Test("a report that can't be written is told before anything is run")
    func unwritable() async throws {
        try Data().write(to: folder.url.appending(path: "file"))
        let result = try await Command.run(
            ["fetch", server.url("/good").absoluteString, "--report", "file/run.html"], in: folder.url)
        #expect(result.status == 2 && result.output == "")
        #expect(result.complaints.count == 1 && result.errors.contains("file"))
    }

    @Test(
        "nothing takes the place of a file that isn't an earlier output of its kind, not through a link either",
        arguments: [
            ["run", "flow.json5", "--report", "flow.json5"], ["run", "flow.json5", "--trace", "link"],
            ["run", "flow.json5", "--report", "notes.html"], ["graph", "flow.json5", "--out", "flow.json5"],
            ["graph", "flow.json5", "--format", "svg", "--out", "link"],
        ])
    func foreignFile(words: [String]) async throws {
        let flow = "{tasks: {a: {steps: [{value: 1}]}}}"
        try Data(flow.utf8).write(to: folder.url.appending(path: "flow.json5"))
        try Data("<!DOCTYPE html> my notes".utf8).write(to: folder.url.appending(path: "notes.html"))
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "link"),
            withDestinationURL: folder.url.appending(path: "flow.json5"))
        let refused = try await Command.run(words, in: folder.url)
        #expect(refused.status == 2 && refused.output == "")
        #expect(refused.complaints.count == 1 && refused.errors.contains("; --force overwrites it"))
        #expect(try folder.text("flow.json5") == flow)
        #expect(try folder.text("notes.html") == "<!DOCTYPE html> my notes")
        #expect(try await Command.run(words + ["--force"], in: folder.url).status == 0)
    }

    @Test("an earlier output of the same kind is overwritten", arguments: ["dot", "mermaid", "svg", "html"])
    func ownFile(format: String) async throws {
        let flow = "{tasks: {a: {steps: [{value: 1}]}}}"
        try Data(flow.utf8).write(to: folder.url.appending(path: "flow.json5"))
        let drawing = ["graph", "flow.json5", "--format", format, "--out", "picture"]
        let running = ["run", "flow.json5", "--report", "run.html", "--trace", "run.json"]
        for _ in 0..<2 {
            #expect(try await Command.run(drawing, in: folder.url).status == 0)
            #expect(try await Command.run(running, in: folder.url).status == 0)
        }
        let crossed = ["run", "flow.json5", "--report", "run.json"]
        let refused = try await Command.run(crossed, in: folder.url)
        #expect(refused.status == 2)
        let words = "run.json: the file that is there is a trace, not a report; --force overwrites it"
        #expect(refused.errors.contains(words), "\(refused.errors)")
    }

    @Test(
        "two outputs never go into one file, whatever it is called, nor one into the store's",
        arguments: [
            ["run", "flow.json5", "--store", "s.db", "--report", "s.db"],
            ["run", "flow.json5", "--store", "s.db", "--trace", "./s.db-wal"],
            ["run", "flow.json5", "--store", "s.db", "--report", "link", "--force"],
            ["run", "flow.json5", "--report", "r", "--trace", "deep/../r"],
        ])
    func sameFile(words: [String]) async throws {
        try Data("{tasks: {a: {steps: [{value: 1}]}}}".utf8).write(
            to: folder.url.appending(path: "flow.json5"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appending(path: "link").path, withDestinationPath: "s.db")
        let refused = try await Command.run(words, in: folder.url)
        #expect(refused.status == 2 && refused.errors.contains("that is the file of --"))
        #expect(try folder.names() == ["flow.json5", "link"])
    }

    @Test("a file that the run itself has made is not overwritten; what else is to be written is")
    func madeMeanwhile() async throws {
        try Data("{tasks: {a: {steps: [{value: {own: 1}}, {save: 'out'}]}}}".utf8).write(
            to: folder.url.appending(path: "flow.json5"))
        let words = ["run", "flow.json5", "--report", "out", "--trace", "run.json"]
        let result = try await Command.run(words, in: folder.url)
        #expect(result.status == 1 && result.errors.contains("--force"))
        #expect(try folder.text("out").contains("own"))
        #expect(try folder.names() == ["flow.json5", "out", "run.json"])
    }

    @Test(
        "a pipe or a device is refused before anything is run, and not read",
        arguments: [
            ["run", "flow.json5", "--report", "pipe"], ["run", "flow.json5", "--report", "/dev/null"],
            ["run", "flow.json5", "--trace", "/dev/stdout"], ["graph", "flow.json5", "--out", "pipe"],
        ])
    func noRegularFile(words: [String]) async throws {
        try Data("{tasks: {a: {steps: [{value: 1}, {save: 'done'}]}}}".utf8).write(
            to: folder.url.appending(path: "flow.json5"))
        try #require(mkfifo(folder.url.appending(path: "pipe").path, 0o600) == 0)
        let refused = try await Command.run(words, in: folder.url, as: .process)
        #expect(refused.status == 2 && refused.errors.contains("that is no regular file"))
        #expect(try folder.names() == ["flow.json5", "pipe"])
    }
}
