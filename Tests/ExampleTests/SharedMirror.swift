import Foundation
import SteplineJSON
import SteplinePostgreSQL
import SteplineRuns
import SteplineRunsTesting
import SteplineSupport
import SteplineTesting
import TestProcesses
import TestServers
import Testing

/// A run of the example on a server, its workers, and the site that it mirrors.
final class SharedMirror: Sendable {
    /// How many pages there are.
    static let count = 12

    let folder: URL
    let site: LoopbackServer
    /// No page is handed out before it opens.
    let gate = Gate()
    /// Hears of each page that is asked for.
    let pages = Recorder<String>()
    /// Where the run is kept.
    let store: String
    private let example: BuiltExample

    /// The gate opens by itself once so many pages are asked for.
    init(openingAt openingCount: Int = .max) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        example = try BuiltExample("Mirror")
        store = try await TestServer.shared().newDatabase()
        site = try LoopbackServer()
        let links = (0..<Self.count).map { "<a href='/page/\($0)'>\($0)</a>" }
        site.route("/", .text("<html><body>" + links.joined() + "</body></html>", type: "text/html"))
        for number in 0..<Self.count {
            site.route("/page/\(number)") { [gate, pages] request in
                pages.record(request.target)
                if pages.count >= openingCount { gate.open() }
                gate.block()
                return .text(String(repeating: "\(number)", count: number + 1))
            }
        }
    }

    deinit {
        gate.open()
        try? FileManager.default.removeItem(at: folder)
    }

    private func input(_ copy: String) throws -> [String] {
        let input = try JSON(members: [
            (key: "site", value: JSON(site.url("/").absoluteString)),
            (key: "folder", value: JSON(folder.appending(path: copy).path)),
        ])
        return ["--key", "today", "--input", input.description]
    }

    /// Runs it on workers.
    func run(_ words: [String], environment: [String: String] = [:]) async throws -> (
        text: String, status: Int32
    ) {
        try await example.runBeside(
            ["run", "--store", store] + input("shared") + words, environment: environment)
    }

    /// Runs it under Slurm; what it starts has this comment.
    ///
    /// On a cluster of its own there is one worker on each node; others share theirs.
    func run(
        in cluster: TestCluster, workers: String, comment: String, isAlone: Bool = false
    ) async throws -> (text: String, status: Int32) {
        try await run(
            [
                "--on", "slurm", "--workers", workers, "--slots", "1", "--idle", "2s", "--grace", "100ms",
                "--",
                "--cpus-per-task=\(isAlone ? 9 : 1)", "--comment=\(comment)",
                "--output=\(folder.path)/%a.log",
            ], environment: cluster.environment)
    }

    /// Runs a worker until the gate opens, and asks it to leave then.
    func work(until end: Gate) async throws -> (text: String, status: Int32) {
        let process = Process()
        process.executableURL = example.executable
        process.arguments = ["work", "--store", store, "--slots", "1"]
        let output = TestProcess.pipe()
        process.standardOutput = output
        process.standardError = output
        let ended = TestProcess.ending(of: process)
        try TestProcess.start(process)
        let text = TestProcess.reading(output)
        await end.wait()
        kill(process.processIdentifier, SIGTERM)
        await ended.value
        return (String(decoding: await text.value, as: UTF8.self), process.terminationStatus)
    }

    /// Calls a verb of the program's.
    func call(_ words: [String]) async throws -> (text: String, status: Int32) {
        try await example.runBeside(words + ["--store", store])
    }

    /// The steps as they are kept.
    func steps() throws -> [String: StepRecord] {
        try (PostgreSQLRunStore(store) as any RunStore).stepsByName(of: id)
    }

    private var id: RunID { RunID("mirror", key: "today") }

    /// Demands the same results and files as the run has on one machine.
    func expectTheSame(_ words: String) async throws {
        gate.open()
        let file = folder.appending(path: "plain.runs").path
        let plain = try await example.runBeside(["run", "--store", file] + input("plain"))
        #expect(plain.status == 0, "\(plain.text)")
        let (one, many): (any RunStore, any RunStore) = try (.file(file), .postgreSQL(store))
        let names = try one.stepsByName(of: id).mapValues(\.state)
        #expect(try many.stepsByName(of: id).mapValues(\.state) == names, "\(words)")
        #expect(names.count == Self.count + 3)
        for name in names.keys {
            let (own, shared) = try (one.resultText(of: name, in: id), many.resultText(of: name, in: id))
            #expect(shared == own, "\(words): \(name)")
        }
        let files = try (contents(of: "plain"), contents(of: "shared"))
        #expect(files.0.count == Self.count + 1 && files.0 == files.1, "\(words)")
    }

    private func contents(of copy: String) throws -> [String: Data] {
        let folder = folder.appending(path: copy)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }
}
