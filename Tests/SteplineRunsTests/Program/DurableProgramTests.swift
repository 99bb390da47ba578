import Foundation
import SteplineJSON
import SteplineSupport
import SteplineTesting
import SteplineWorkflow
import Testing

@testable import SteplineRuns

/// A program that notes what it runs in a folder, and fails while a file is there.
private struct PageMirror: DurableWorkflow {
    struct Input: Codable, Sendable {
        var folder: String
        var pages: [String] = ["a", "b"]

        func note(_ text: String) throws {
            let place = URL(filePath: folder).appending(path: "notes")
            let old = (try? String(contentsOf: place, encoding: .utf8)) ?? ""
            try Data((old + text + "\n").utf8).write(to: place)
        }

        var notes: [Substring] {
            let place = URL(filePath: folder).appending(path: "notes")
            return ((try? String(contentsOf: place, encoding: .utf8)) ?? "").split(separator: "\n")
        }

        var isBroken: Bool { FileManager.default.fileExists(atPath: folder + "/broken") }
    }

    struct Broken: Error, CustomStringConvertible { var description: String { "the site is down" } }

    static var options: WorkflowOptions { WorkflowOptions(maximumConcurrency: 1) }

    static func build(_ workflow: Workflow, _ input: Input) throws {
        let index = try workflow.add("index") {
            try input.note("index")
            return input.pages
        }
        let pages = try workflow.map("page", over: index, limit: 1, key: { $0 }) { page in
            if page == "b", input.isBroken { throw Broken() }
            try input.note(page)
            return page.utf8.count
        }
        try workflow.add("report", after: pages) { _ in try input.note("report") }
    }
}

/// A program that waits for somebody's word.
private struct Approval: DurableWorkflow {
    static func build(_ workflow: Workflow, _ input: NoInput) throws {
        let word = try workflow.addCondition("word", of: String.self)
        let count = try workflow.addCondition("count", of: Int.self)
        try workflow.add("said", after: word, count) { "\($0) \($1)" }
    }
}

/// A program with a workflow inside a workflow inside.
private struct Nested: DurableWorkflow {
    static func build(_ workflow: Workflow, _ input: NoInput) throws {
        let start = try workflow.add("start") { 1 }
        let (outer, inner) = (Workflow("outer"), Workflow("inner"))
        let first = try inner.add("a") { 2 }
        try inner.add("b", after: first) { $0 + 1 }
        try outer.add(SubworkflowTask(name: "inner", subworkflow: inner))
        let around = SubworkflowTask(name: "outer", subworkflow: outer)
        try workflow.add(around, prerequisites: [start.task])
        try workflow.add(WorkflowTask(name: "end"), prerequisites: [around])
    }
}

@Suite("Programs that are durable workflows", .timeLimit(.minutes(5)))
struct DurableProgramTests {
    private let folder: URL
    private let written = Recorder<String>()
    private let complaints = Recorder<String>()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func call<Program: DurableWorkflow>(_ program: Program.Type, _ words: String...) async -> Int32 {
        let (written, complaints) = (self.written, self.complaints)
        let output = ProgramOutput(environment: ["STEPLINE_STORE": folder.path + "/store.runs"]) {
            written.record($0)
        } complain: {
            complaints.record($0)
        }
        return await DurableProgram(program, called: "./mirror", output).run(words)
    }

    private var input: PageMirror.Input { PageMirror.Input(folder: folder.path) }

    private func json(_ input: PageMirror.Input) throws -> String {
        String(decoding: try JSONEncoder().encode(input), as: UTF8.self)
    }

    private func clean() { try? FileManager.default.removeItem(at: folder) }

    @Test("DR-60: run starts a run with an input, and resumes it with the stored one")
    func continues() async throws {
        defer { clean() }
        let broken = folder.appending(path: "broken")
        try Data().write(to: broken)
        #expect(await call(PageMirror.self, "run", "--key", "k", "--input", try json(input)) == 1)
        #expect(complaints.values.contains { $0.contains("the site is down") })
        #expect(complaints.values.last?.contains("./mirror run --key k --retrying-failures") == true)
        try FileManager.default.removeItem(at: broken)
        #expect(await call(PageMirror.self, "run", "--key", "k") == 1)
        #expect(await call(PageMirror.self, "run", "--key", "k", "--retrying-failures") == 0)
        #expect(input.notes == ["index", "a", "b", "report"])
        #expect(complaints.values.contains { $0.contains("kept of page-mirror/k: 2 steps (index, page[a])") })
        #expect(written.values == ["page-mirror/k finished: 3 steps run, 2 kept\n"])
    }

    @Test("DR-63: plan tells what run would do and why, without making a store or running a body")
    func plans() async throws {
        defer { clean() }
        let given = try json(input)
        let place = folder.appending(path: "planned.runs").path
        #expect(await call(PageMirror.self, "plan", "--input", given) == 2)
        #expect(
            await call(PageMirror.self, "plan", "--store", place, "--key", "k", "--input", given, "--json")
                == 0)
        #expect(!FileManager.default.fileExists(atPath: place))
        let new = try JSON(parsing: written.values.last ?? "")
        #expect(new["isNew"]?.bool == true && new["steps"]?.array?.count == 3)
        try Data().write(to: folder.appending(path: "broken"))
        #expect(await call(PageMirror.self, "run", "--key", "k", "--input", given) == 1)
        let notes = input.notes
        #expect(await call(PageMirror.self, "plan", "--key", "k", "--retrying-failures") == 0)
        #expect(
            written.values.last == """
                page-mirror/k: 2 kept, 3 to run
                plan  step     why
                kept  index    it has finished
                runs  page     it failed before
                kept  page[a]  it has finished
                runs  page[b]  it failed before
                runs  report   it hasn't run yet

                """)
        #expect(input.notes == notes)
    }

    @Test("DR-60: runs retry and resume continue a run, and --json prints JSON")
    func retry() async throws {
        defer { clean() }
        try Data().write(to: folder.appending(path: "broken"))
        let words = ["run", "--key", "k", "--json", "--input", try json(input)]
        #expect(await call(PageMirror.self, words[0], words[1], words[2], words[3], words[4], words[5]) == 1)
        let first = try JSON(parsing: written.values[0])
        #expect(first["state"]?.string == "failed")
        let failures = first["failures"]?.array?.map { [$0["step"]?.string, $0["error"]?.string] }
        #expect(failures == [["page[b]", "the site is down"], ["page", "1 of 2 elements failed"]])
        try FileManager.default.removeItem(at: folder.appending(path: "broken"))
        #expect(await call(PageMirror.self, "runs", "resume", "k", "--json") == 1)
        #expect(await call(PageMirror.self, "runs", "retry", "k", "--json") == 0)
        let last = try JSON(parsing: written.values[2])
        #expect(last["state"]?.string == "finished" && last["kept"]?.array?.count == 2)
        #expect(last["executed"]?.array?.compactMap(\.string) == ["page[b]", "page", "report"])
    }

    @Test(
        "DR-60: runs fork copies a run without the results of a step and its dependents",
        arguments: [
            ("report", ["index", "page", "page[a]", "page[b]"]), ("page", ["index"]), ("index", []),
            ("page[b]", ["index", "page[a]"]),
        ])
    func fork(_ step: String, _ kept: [String]) async throws {
        defer { clean() }
        let given = try json(input)
        let codes = [
            await call(PageMirror.self, "run", "--key", "k", "--input", given),
            await call(PageMirror.self, "runs", "fork", "k", "--from", step, "--to", "l"),
            await call(PageMirror.self, "runs", "fork", "k", "--from", step, "--to", "l"),
            await call(PageMirror.self, "runs", "fork", "k", "--from", "nothing", "--to", "m"),
            await call(PageMirror.self, "run", "--key", "l", "--json"),
        ]
        #expect(codes == [0, 0, 1, 2, 0])
        let end = try JSON(parsing: written.values.last ?? "")
        #expect(end["kept"]?.array?.compactMap(\.string).sorted() == kept)
        #expect(end["executed"]?.array?.count == 5 - kept.count)
    }

    @Test(
        "DR-60: runs fork knows what is inside what",
        arguments: [
            ("start", []), ("outer/inner/b", ["outer/inner/a", "start"]), ("outer", ["start"]),
            ("end", ["outer", "outer/inner", "outer/inner/a", "outer/inner/b", "start"]),
        ])
    func nestedFork(_ step: String, _ kept: [String]) async throws {
        defer { clean() }
        let codes = [
            await call(Nested.self, "run", "--key", "k"),
            await call(Nested.self, "runs", "fork", "k", "--from", step, "--to", "l"),
            await call(Nested.self, "run", "--key", "l", "--json"),
        ]
        #expect(codes == [0, 0, 0])
        let end = try JSON(parsing: written.values.last ?? "")
        #expect(end["kept"]?.array?.compactMap(\.string).sorted() == kept)
    }

    @Test("DR-60: a different input for a stored run is an error that says so; the same input isn't")
    func otherInput() async throws {
        defer { clean() }
        #expect(await call(PageMirror.self, "run", "--key", "k", "--input", try json(input)) == 0)
        #expect(await call(PageMirror.self, "run", "--key", "k", "--input", try json(input)) == 0)
        var other = input
        other.pages = ["z"]
        #expect(await call(PageMirror.self, "run", "--key", "k", "--input", try json(other)) == 2)
        #expect(complaints.values.last?.contains("was started with another input") == true)
        #expect(await call(PageMirror.self, "run", "--key", "new") == 2)
        #expect(complaints.values.last?.contains("--input is missing") == true)
        #expect(input.notes.count == 4)
    }

    @Test("DR-20, DR-60: runs signal fulfils the conditions of a run, with values of their types alone")
    func signals() async throws {
        defer { clean() }
        let store: any RunStore = try .file(folder.path + "/store.runs")
        try store.open(RunID("approval", key: "k"), input: nil, as: RunOwner(since: Date()), at: Date())
            .close()
        for words in [["word"], ["count", "\"x\""], ["count"], ["said"], ["nothing", "1"]] {
            let value = words.count > 1 ? words[1] : nil
            let code =
                if let value {
                    await call(Approval.self, "runs", "signal", "k", words[0], value)
                } else {
                    await call(Approval.self, "runs", "signal", "k", words[0])
                }
            #expect(code == 2, "\(words)")
        }
        #expect(complaints.values.last?.contains("it has word, count") == true)
        #expect(await call(Approval.self, "runs", "signal", "k", "word", "yes, you may") == 0)
        #expect(throws: DurableRunError.self) {
            try store.signal("count", with: "3", to: "k", of: Approval.self)
        }
        #expect(throws: DurableRunError.self) { try store.signal("said", to: "k", of: Approval.self) }
        #expect(throws: RunStoreError.self) { try store.signal("count", with: 3, to: "?", of: Approval.self) }
        #expect(try store.signal("count", with: 3, to: "k", of: Approval.self))
        #expect(try !store.signal("count", with: 4, to: "k", of: Approval.self))
        #expect(await call(Approval.self, "run", "--key", "k") == 0)
        let kept = try store.result(of: "said", in: RunID("approval", key: "k"))
        #expect(kept.map { String(decoding: $0, as: UTF8.self) } == "yes, you may 3")
    }

    @Test("DR-60: runs pause, resume and list take their options")
    func pause() async throws {
        defer { clean() }
        let store: any RunStore = try .file(folder.path + "/store.runs")
        try store.open(RunID("approval", key: "k"), input: nil, as: RunOwner(since: Date()), at: Date())
            .close()
        try store.signal("word", with: "yes", to: "k", of: Approval.self)
        try store.signal("count", with: 3, to: "k", of: Approval.self)
        #expect(await call(Approval.self, "runs", "pause", "k") == 0)
        #expect(try store.isPaused(RunID("approval", key: "k")))
        let codes = [
            await call(Approval.self, "runs", "resume", "k"),
            await call(Approval.self, "runs", "list", "--state", "finished"),
            await call(Approval.self, "runs", "list", "--state", "failed"),
            await call(Approval.self, "runs", "list", "--state", "over"),
            await call(Approval.self, "runs", "list", "--older-than", "1d"),
        ]
        #expect(codes == [0, 0, 0, 2, 0])
        // The refused list writes nothing.
        let lists = written.values.suffix(3)
        #expect(lists.first?.contains("approval  k") == true)
        #expect(lists.dropFirst() == ["no runs\n", "no runs\n"])
    }

    @Test("DR-19, DR-60: a cancelled run stays cancelled, and the message says how to run it anyway")
    func cancelled() async throws {
        defer { clean() }
        let store: any RunStore = try .file(folder.path + "/store.runs")
        try store.open(RunID("approval", key: "k"), input: nil, as: RunOwner(since: Date()), at: Date())
            .close()
        #expect(await call(Approval.self, "runs", "cancel", "k", "--reason", "not needed") == 0)
        #expect(await call(Approval.self, "run", "--key", "k") == 1)
        #expect(complaints.values.contains { $0.contains("not needed") })
        #expect(await call(Approval.self, "runs", "show", "k") == 0)
        #expect(written.values.last?.contains("approval/k: cancelled (not needed)") == true)
    }

    @Test("DR-61: runs show --follow prints a run to its end, and the exit code has its outcome")
    func follow() async throws {
        defer { clean() }
        try Data().write(to: folder.appending(path: "broken"))
        #expect(await call(PageMirror.self, "run", "--key", "k", "--input", try json(input)) == 1)
        #expect(await call(PageMirror.self, "runs", "show", "k", "--follow") == 1)
        #expect(written.values.contains { $0.contains(" index finished in ") })
        #expect(written.values.last?.hasPrefix("page-mirror/k: failed") == true)
        try FileManager.default.removeItem(at: folder.appending(path: "broken"))
        #expect(await call(PageMirror.self, "runs", "retry", "k") == 0)
        #expect(await call(PageMirror.self, "runs", "show", "k", "--follow", "--json") == 0)
        #expect(try JSON(parsing: written.values.last ?? "")["state"]?.string == "finished")
    }

    @Test(
        "DR-60: invalid arguments are reported in one line, with code 2",
        arguments: [
            (["rnu"], "unknown verb 'rnu'"), (["run"], "--key is missing"),
            (["run", "--key"], "needs a value"),
            (["run", "--quick"], "unknown option --quick"), (["runs"], "is missing"),
            (["runs", "list", "x"], "unexpected argument 'x'"),
            (["runs", "forget", "--older-than", "soon"], "30d"),
        ])
    func usage(_ words: [String], _ line: String) async throws {
        defer { clean() }
        _ = try SQLiteRunStore.file(folder.path + "/store.runs")
        let (written, complaints) = (self.written, self.complaints)
        let output = ProgramOutput(environment: ["STEPLINE_STORE": folder.path + "/store.runs"]) {
            written.record($0)
        } complain: {
            complaints.record($0)
        }
        let code = await DurableProgram(PageMirror.self, called: "mirror", output).run(words)
        #expect(code == 2 && written.count == 0)
        #expect(complaints.values.joined().contains(line), "\(complaints.values)")
    }

    @Test("DR-25: a file that is no store is refused and left as it is; looking at none makes none")
    func noStore() async throws {
        defer { clean() }
        let place = folder.appending(path: "store.runs")
        #expect(await call(Approval.self, "runs", "list") == 1)
        #expect(!FileManager.default.fileExists(atPath: place.path))
        try Data("not a store".utf8).write(to: place)
        #expect(await call(Approval.self, "runs", "list") == 1)
        #expect(await call(Approval.self, "run", "--key", "k") == 1)
        #expect(try Data(contentsOf: place) == Data("not a store".utf8))
    }

    @Test(
        "a program is named by its type, in lower case with dashes",
        arguments: [
            ("Mirror", "mirror"), ("PageMirror", "page-mirror"), ("HTTPMirror2", "http-mirror2"),
            ("MirrorHTTP", "mirror-http"), ("Mirror_Two", "mirror-two"), ("Box<Int>", "box"),
        ])
    func names(_ type: String, _ name: String) { #expect(ProgramName.dashed(type) == name) }
}
