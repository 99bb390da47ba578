import Foundation
import SteplineJSON
import SteplineRuns
import SteplineRunsTesting
import SteplineTesting
import SteplineWorkflow
import TestSupport
import Testing

/// Stores of every layout so far, under `Fixtures/stores`; each test opens a copy (RunStores.md).
@Suite("Stores of old layouts", .timeLimit(.minutes(5)))
struct OldLayoutTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/stores")

    /// The layouts of which there is a store.
    static let layouts: [Int] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? []
        return names.compactMap { $0.wholeMatch(of: /layout-(\d+)\.runs/).flatMap { Int($0.1) } }.sorted()
    }()

    private static func fixture(_ layout: Int) -> URL { fixtures.appending(path: "layout-\(layout).runs") }

    /// The layout that a file's header names.
    private static func layout(of file: URL) throws -> Int {
        try Data(contentsOf: file)[60..<64].reduce(0) { $0 << 8 | Int($1) }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var file: URL { folder.url.appending(path: "test.runs") }

    /// Opens a copy of a store, with the large result beside it.
    private func open(_ layout: Int) throws -> SQLiteRunStore {
        try FileManager.default.copyItem(at: Self.fixture(layout), to: file)
        let blobs = folder.url.appending(path: "test.runs-blobs")
        try FileManager.default.createDirectory(at: blobs, withIntermediateDirectories: false)
        try OldWorkflow.large.write(to: blobs.appending(path: OldWorkflow.nameOfLarge))
        return try .file(file)
    }

    private func id(_ key: String) -> RunID { RunID(OldWorkflow.name, key: key) }

    private func date(_ seconds: Double) -> Date {
        Date(timeIntervalSinceReferenceDate: 789_000_000 + seconds)
    }

    @Test("there is a small store of every layout, the present one included")
    func fixtures() throws {
        let new = folder.url.appending(path: "new.runs")
        do { _ = try SQLiteRunStore(path: new.path) }
        let present = try Self.layout(of: new)
        #expect(Self.layouts == Array(1...present), "see Fixtures/stores/README.md")
        for layout in Self.layouts {
            #expect(try Self.layout(of: Self.fixture(layout)) == layout)
            #expect(try Data(contentsOf: Self.fixture(layout)).count < 100_000)
        }
    }

    @Test("DR-63: a plan changes no old layout, and creates no file", arguments: layouts)
    func plan(layout: Int) async throws {
        // The files with the results, but not the store.
        do { _ = try open(layout) }
        for name in try folder.names() where name != "test.runs-blobs" {
            try FileManager.default.removeItem(at: folder.url.appending(path: name))
        }
        try FileManager.default.copyItem(at: Self.fixture(layout), to: file)
        let before = try Data(contentsOf: file)
        let keys: [String]
        do {
            let store = try #require(try RunStorePlace(file.path, of: [.file]).openIfThere())
            keys = try store.runs(of: OldWorkflow.name).map(\.id.key)
            for key in keys {
                let workflow = try OldWorkflow().workflow
                let plan = try await workflow.plan(
                    in: store, key: key, retryingFailures: true, input: nil)
                #expect(plan.names(.gone).isEmpty && plan.steps.count >= workflow.allTasks.count)
            }
        }
        #expect(!keys.isEmpty)
        await eventually { (try? folder.names()) == ["test.runs", "test.runs-blobs"] }
        #expect(try Data(contentsOf: file) == before)
    }

    @Test("runs are listed as the old program left them", arguments: layouts)
    func runs(layout: Int) async throws {
        let store = try open(layout)
        func record(
            _ key: String, _ created: Double, _ ending: RunEnding?, _ ended: Double?, openings: Int = 1,
            finished: Int, failed: Int = 0, owner: RunOwner, input: Data? = nil
        ) -> RunRecord {
            RunRecord(
                id: id(key), created: date(created), ending: ending, ended: ended.map(date), owner: owner,
                isOpen: false, openings: openings, finished: finished, failed: failed, input: input)
        }
        func owner(_ host: String, _ process: Int, _ token: UInt64, since: Double) -> RunOwner {
            RunOwner(host: host, process: process, token: token, since: date(since))
        }
        let expected = [
            record(
                "interrupted", 400, nil, nil, finished: 10, owner: owner("host-a", 4104, 1005, since: 400)
            ),
            record(
                "cancelled", 300, .cancelled("no longer needed"), 301, finished: 1,
                owner: owner("host-b", 4103, 1004, since: 300)),
            record(
                "failed", 100, .failed, 290, openings: 2, finished: 14, failed: 1,
                owner: owner("host-a", 4102, 1003, since: 200), input: Data(#"{"depth":3}"#.utf8)),
            record(
                "finished", 0.5, .finished, 60.25, finished: 15,
                owner: owner("host-a", 4101, 1001, since: 0.5)),
        ]
        #expect(try store.runs(of: nil) == expected)
        #expect(try store.runs(of: OldWorkflow.name) == expected && store.runs(of: "other").isEmpty)
        for record in expected { #expect(try store.run(record.id) == record) }
    }

    @Test("steps, their failures and their history are read", arguments: layouts)
    func steps(layout: Int) async throws {
        let store = try open(layout)
        var title = StepRecord(name: "title")
        (title.state, title.attempt, title.token, title.links) = (
            .failed, 2, 1003, 7_347_990_519_673_328_018
        )
        (title.failures, title.began, title.ended) = (1, date(201), date(202))
        title.failure = StepFailure(
            code: "Failure", subject: "title", message: "title is down", underlying: "the cause")
        #expect(try store.stepsByName(of: id("failed"))["title"] == title)
        (title.attempt, title.token, title.began, title.ended) = (1, 1002, date(101), date(102))
        title.failure?.underlying = nil
        #expect(try store.history(of: id("failed")) == [title])
        let interrupted = try store.stepsByName(of: id("interrupted"))
        #expect(interrupted.count == 12 && interrupted["page"] == nil && interrupted["total"] == nil)
        let (running, waiting) = (interrupted["page[/b]"], interrupted["page[/c]"])
        #expect(running?.state == .running && running?.interruptions == 1 && running?.ended == nil)
        #expect(waiting?.state == .waiting && waiting?.failures == 1 && waiting?.wait == 30)
        #expect(waiting?.due == date(434) && waiting?.failure?.message == "page[/c] is down")
        #expect(try store.stepsByName(of: id("cancelled"))["title"]?.state == .cancelled)
        #expect(try store.history(of: id("finished")).map(\.state) == [.waiting])
    }

    @Test("DR-13: results of every kind come back, and a finished run runs nothing again", arguments: layouts)
    func results(layout: Int) async throws {
        let store = try open(layout)
        let texts = [
            "index": #"["\/a","\/b","\/c"]"#, "title": "Übersicht", "json": #"{"b":1,"a":[2.50]}"#,
            "none": "null",
            "page[/a]": "2", "page": "[2,2,2]", "total": "6", "approved": "true", "summary": "/a /b /c",
        ]
        for (step, text) in texts {
            #expect(try store.result(of: step, in: id("finished")) == Data(text.utf8), "\(step)")
        }
        #expect(try store.result(of: "nothing", in: id("finished")) == nil)
        let old = try OldWorkflow()
        let report = try await old.workflow.run(in: store, key: "finished")
        #expect(report.executed.isEmpty && report.unreadable.isEmpty && old.bodies.values.isEmpty)
        #expect(report.restored.count == 15)
        #expect(try old.total.readValue() == 6 && old.pages.readValue() == [2, 2, 2])
        #expect(old.result(of: "index") as? [String] == OldWorkflow.paths)
        #expect(
            old.result(of: "title") as? String == "Übersicht"
                && old.result(of: "bytes") as? Data == Data([0, 255]))
        #expect(old.result(of: "nothing") is Void && old.result(of: "approved") as? Bool == true)
        #expect(old.result(of: "json") as? JSON == (try JSON(parsing: #"{"b":1,"a":[2.50]}"#)))
        #expect(old.result(of: "none").map { "\($0)" } == "nil")
        let page = try #require((old.result(of: "record") as? [OldWorkflow.Page])?.first)
        #expect(page.title == OldWorkflow.page.title && page.date == OldWorkflow.page.date)
        #expect(page.size?.isNaN == true && old.result(of: "large") as? Data == OldWorkflow.large)
        #expect(try store.run(id("finished"))?.ending == .finished)
    }

    @Test(
        "DR-13, DR-14, DR-16, DR-20: the interrupted run is resumed, and finishes without its kept steps",
        arguments: layouts)
    func resume(layout: Int) async throws {
        let store = try open(layout)
        let old = try OldWorkflow()
        let report = try await old.workflow.run(in: store, key: "interrupted")
        #expect(old.bodies.values.sorted() == ["page[/b]", "page[/c]", "total"])
        #expect(
            Set(report.restored) == [
                "index", "page[/a]", "summary", "title", "bytes", "nothing", "json", "none", "record",
                "large",
            ])
        #expect(Set(report.executed) == ["page[/b]", "page[/c]", "page", "approved", "total"])
        #expect(try old.total.readValue() == 6)
        let run = try #require(try store.run(id("interrupted")))
        #expect(run.ending == .finished && run.openings == 2 && run.finished == 15 && run.failed == 0)
        let steps = try store.stepsByName(of: id("interrupted"))
        #expect(steps.values.allSatisfy { $0.state == .finished } && steps.count == 15)
        #expect(steps["page[/b]"]?.attempt == 2 && steps["page[/b]"]?.interruptions == 2)
        #expect(steps["page[/c]"]?.attempt == 2 && steps["page[/c]"]?.failures == 1)
        #expect(steps["title"]?.attempt == 1 && steps["title"]?.token == 1005)
        #expect(Set(try store.history(of: id("interrupted")).map(\.name)) == ["page[/b]", "page[/c]"])
    }

    @Test(
        "DR-15: a failed run fails as before, and runs the failed step alone when that is asked for",
        arguments: layouts)
    func failed(layout: Int) async throws {
        let store = try open(layout)
        let first = try OldWorkflow()
        let error = await #expect(throws: WorkflowError.self) {
            try await first.workflow.run(in: store, key: "failed")
        }
        #expect(
            error?.report?.failures.first?.error is KeptFailure
                && "\(error as Any)".contains("title is down"))
        #expect(first.bodies.values.isEmpty)
        let again = try OldWorkflow()
        let report = try await again.workflow.run(in: store, key: "failed", retryingFailures: true)
        #expect(report.executed == ["title"] && again.bodies.values == ["title"])
        #expect(try store.history(of: id("failed")).map(\.attempt) == [1, 2])
        let run = try #require(try store.run(id("failed")))
        #expect(run.ending == .finished && run.openings == 4 && run.input == Data(#"{"depth":3}"#.utf8))
    }

    @Test("DR-19: a cancelled run stays cancelled, with its reason", arguments: layouts)
    func cancelled(layout: Int) async throws {
        let store = try open(layout)
        let old = try OldWorkflow()
        let error = await #expect(throws: DurableRunError.self) {
            try await old.workflow.run(in: store, key: "cancelled")
        }
        #expect(error?.code == .cancelled && "\(error as Any)".contains("no longer needed"))
        #expect(old.bodies.values.isEmpty)
    }

    @Test(
        "DR-23: results are taken over where the layout keeps cache keys, and from new runs in any store",
        arguments: layouts)
    func cache(layout: Int) async throws {
        let store = try open(layout)
        for (key, source) in [
            ("new", layout >= 2 ? "finished" : nil), ("newer", layout >= 2 ? "finished" : "new"),
        ] {
            _ = try store.open(id(key), input: nil, as: RunOwner(since: .now), at: .now)
            _ = try store.send(.fulfil(condition: "approved", Data("true".utf8)), to: id(key), at: .now)
            let old = try OldWorkflow()
            let report = try await old.workflow.run(in: store, key: key)
            #expect(report.takenOver == (source.map { ["summary": id($0)] } ?? [:]))
            #expect(old.bodies.values.contains("summary") == (source == nil))
            #expect(old.result(of: "summary") as? String == "/a /b /c")
        }
    }

    @Test("DR-33: old runs are forgotten with their results, and others stay", arguments: layouts)
    func forget(layout: Int) async throws {
        let store = try open(layout)
        let blob = URL(filePath: store.path + "-blobs").appending(path: OldWorkflow.nameOfLarge).path
        #expect(try store.forget(endedBefore: date(300)) == 2)
        #expect(try store.runs(of: nil).map(\.id.key) == ["interrupted", "cancelled"])
        #expect(try store.result(of: "large", in: id("interrupted")) == OldWorkflow.large)
        #expect(try store.forget(id("interrupted")) && !store.forget(id("interrupted")))
        #expect(try store.runs(of: nil).map(\.id.key) == ["cancelled"])
        #expect(!FileManager.default.fileExists(atPath: blob))
    }

    @Test("a store that was opened has the present layout, and is opened again", arguments: layouts)
    func openedAgain(layout: Int) async throws {
        try FileManager.default.copyItem(at: Self.fixture(layout), to: file)
        let before = try SQLiteRunStore(path: file.path).runs(of: nil)
        // The last connection is closed, so that all is in the file.
        #expect(try Self.layout(of: file) == Self.layouts.last)
        for _ in 0..<2 { #expect(try SQLiteRunStore(path: file.path).runs(of: nil) == before) }
    }

    @Test(
        "DR-25: the next layout is refused with its number, and the store isn't touched", arguments: layouts)
    func nextLayout(layout: Int) throws {
        let next = try #require(Self.layouts.last) + 1
        var bytes = try Data(contentsOf: Self.fixture(layout))
        bytes.replaceSubrange(60..<64, with: withUnsafeBytes(of: UInt32(next).bigEndian) { Data($0) })
        try bytes.write(to: file)
        let error = #expect(throws: RunStoreError.self) { _ = try SQLiteRunStore(path: file.path) }
        let reason = "made by a later version of Stepline: its layout is \(next)"
        #expect(error?.code == .newerLayout && "\(error as Any)".contains(reason))
        #expect(try folder.names() == ["test.runs"] && Data(contentsOf: file) == bytes)
    }
}
