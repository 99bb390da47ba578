import Foundation
import SteplineTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// A program that needs a secret, and fails while a file is there.
private struct Sender: DurableWorkflow {
    struct Input: Codable, Sendable {
        var folder: String
        var token: Secret

        /// Records a use of the secret.
        func note(_ text: String) throws {
            let place = URL(filePath: folder).appending(path: "seen")
            let old = (try? String(contentsOf: place, encoding: .utf8)) ?? ""
            try Data((old + text + "\n").utf8).write(to: place)
        }
    }

    struct Broken: Error {}

    static func build(_ workflow: Workflow, _ input: Input) throws {
        let page = try workflow.add("page") {
            try input.note(input.token.value)
            return String(repeating: "x", count: 100_000)
        }
        let echo = try workflow.add("echo", after: page) { _ in input.token }
        try workflow.add("send", after: echo) { _ in
            try input.note(input.token.value)
            if FileManager.default.fileExists(atPath: input.folder + "/broken") { throw Broken() }
        }
    }
}

@Suite("Secrets of a run", .timeLimit(.minutes(5)))
struct SecretTests {
    private let folder: URL
    private let kept: URL
    private let written = Recorder<String>()
    private let complaints = Recorder<String>()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)")
        kept = folder.appending(path: "kept")
        try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    }

    private func clean() { try? FileManager.default.removeItem(at: folder) }

    private func call(_ environment: [String: String], _ words: String...) async -> Int32 {
        let (written, complaints) = (written, complaints)
        var environment = environment
        environment["STEPLINE_STORE"] = kept.path + "/store.runs"
        let output = ProgramOutput(environment: environment) {
            written.record($0)
        } complain: {
            complaints.record($0)
        }
        return await DurableProgram(Sender.self, called: "./sender", output).run(words)
    }

    private var input: String { #"{"folder": "\#(folder.path)", "token": {"$environment": "API_TOKEN"}}"# }

    private var seen: [String] {
        let text = try? String(contentsOf: folder.appending(path: "seen"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// The files of the store, results beside it included, that hold the text.
    private func files(with text: String) throws -> [String] {
        let all = FileManager.default.enumerator(at: kept, includingPropertiesForKeys: [.isRegularFileKey])
        let files = (all?.allObjects as? [URL] ?? []).filter {
            (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
        }
        #expect(
            files.contains { $0.path.contains("-blobs/") } && files.contains { $0.path.hasSuffix("-wal") })
        return try files.filter { try Data(contentsOf: $0).range(of: Data(text.utf8)) != nil }.map(\.path)
    }

    @Test("DR-26: a secret isn't in the store, and the resuming process reads it again")
    func neverKept() async throws {
        defer { clean() }
        // Holds the log open, so that it can be looked into as well.
        let store = try SQLiteRunStore(path: kept.path + "/store.runs")
        try Data().write(to: folder.appending(path: "broken"))
        let (first, second) = ("hush-4711-first", "hush-4712-second")
        #expect(await call(["API_TOKEN": first], "run", "--key", "k", "--input", input, "--json") == 1)
        #expect(try files(with: first).isEmpty)
        #expect(try !files(with: "API_TOKEN").isEmpty)
        try FileManager.default.removeItem(at: folder.appending(path: "broken"))
        #expect(await call(["API_TOKEN": second], "runs", "retry", "k", "--json") == 0)
        #expect(await call([:], "runs", "show", "k", "--json") == 0)
        #expect(await call([:], "runs", "fork", "k", "--from", "send", "--to", "l") == 0)
        #expect(seen == [first, first, second])
        for text in [first, second] {
            #expect(try files(with: text).isEmpty)
            #expect(!(written.values + complaints.values).joined().contains(text))
        }
        _ = try store.runs(of: nil)
    }

    @Test("DR-26: a variable that isn't set is named before anything is run, at the beginning and later")
    func missing() async throws {
        defer { clean() }
        for environment in [[:], ["API_TOKEN": ""]] {
            #expect(await call(environment, "run", "--key", "k", "--input", input) == 2)
            #expect(complaints.values.last?.contains("the environment has no API_TOKEN") == true)
        }
        #expect(seen.isEmpty)
        #expect(try SQLiteRunStore(path: kept.path + "/store.runs").runs(of: nil).isEmpty)
        try Data().write(to: folder.appending(path: "broken"))
        #expect(await call(["API_TOKEN": "x"], "run", "--key", "k", "--input", input) == 1)
        #expect(await call([:], "run", "--key", "k", "--retrying-failures") == 2)
        #expect(seen.count == 2)
    }

    @Test("DR-26: an error for a secret given by value says how to name it, without the secret")
    func givenItself() async throws {
        defer { clean() }
        let wrong = #"{"folder": "/", "token": "hush-4713"}"#
        #expect(await call(["API_TOKEN": "x"], "run", "--key", "k", "--input", wrong) == 2)
        #expect(complaints.values.last?.contains("$environment") == true, "\(complaints.values)")
        #expect(!complaints.values.joined().contains("hush-4713"))
    }

    @Test("DR-26: no description of a secret shows it")
    func descriptions() throws {
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        let secret = Secret(environment: "PATH")
        #expect(try secret.value == path)
        var dumped = ""
        dump(Sender.Input(folder: "", token: secret), to: &dumped)
        let texts = [
            "\(secret)", String(reflecting: secret), "\(Sender.Input(folder: "", token: secret))", dumped,
        ]
        for text in texts { #expect(text.contains("PATH") && !text.contains(path), "\(text)") }
        #expect(
            try String(decoding: JSONEncoder().encode(secret), as: UTF8.self) == #"{"$environment":"PATH"}"#)
        #expect(secret == Secret(environment: "PATH") && secret != Secret(environment: "HOME"))
        do {
            _ = try Secret(environment: "STEPLINE_NOT_SET").value
            Issue.record("it isn't set")
        } catch let error as DurableRunError {
            #expect(error.code == .secretMissing && error.description.contains("STEPLINE_NOT_SET"))
        }
    }
}
