import Foundation
import Stepline
import SteplinePostgreSQL
import SteplineRuns
import SteplineRunsTesting
import TestSupport
import Testing

private func names(in folder: String) throws -> [String] { ["a"] }
private func size(of file: String, in folder: String) async throws -> Int { 1 }

struct Backup: DurableWorkflow {
    struct Input: Codable, Sendable { var folder: String }

    static func build(_ workflow: Workflow, _ input: Input) throws {
        let files = try workflow.add("files") { try names(in: input.folder) }
        let sizes = try workflow.map("size", over: files, key: { $0 }) { file in
            try await size(of: file, in: input.folder)
        }
        try workflow.add("total", after: sizes) { sizes in sizes.reduce(0, +) }
    }
}

struct SharedBackup: DurableWorkflow {
    static let stores: [RunStoreKind] = [.postgreSQL, .file]

    static func build(_ workflow: Workflow, _ input: NoInput) throws {
        try workflow.add("files") { try names(in: "docs") }
    }
}

struct Upload: DurableWorkflow {
    struct Input: Codable, Sendable {
        var site: URL
        var token: Secret
    }

    static func build(_ workflow: Workflow, _ input: Input) throws {
        try workflow.add("send") { try input.token.value.count }
    }
}

/// The snippets of the pages on durable runs, as a user writes them.
@Suite(.timeLimit(.minutes(5)))
struct DurableRunsSnippetTests {
    private struct Broken: Error {}

    @Test("DR-13: a mirror that is run twice runs once")
    func mirror() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mirror-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "mirror.runs").path
        #expect(try await mirror(file) == ([], 4))
        #expect(try await mirror(file) == (["index", "report", "page", "page[/a]"], 0))
        let store: any RunStore = try .file(file, durability: .normal)
        #expect(try store.runs(of: "mirror").map(\.ending) == [.finished])
    }

    @Test("DR-23: a run takes over a cached result of another run")
    func takenOver() async throws {
        @Sendable func summary(of page: String) async throws -> Int { page.count }
        func summaries(of names: [String]) throws -> Workflow {
            let workflow = Workflow("summaries")
            let pages = try workflow.add("pages") { names }
            let options = TaskOptions.cached(for: .seconds(7 * 86_400))
            let summaries = try workflow.map("summary", over: pages, options: options) { page in
                try await summary(of: page)
            }
            try workflow.add("all", after: summaries) { $0.reduce(0, +) }
            return workflow
        }
        let store: any RunStore = .memory()
        try await summaries(of: ["a", "b"]).run(in: store, key: "1")
        let report = try await summaries(of: ["a", "c"]).run(in: store, key: "2")
        #expect(report.takenOver == ["summary[a]": RunID("summaries", key: "1")])
    }

    private func mirror(_ file: String) async throws -> (restored: Set<String>, executed: Int) {
        let site = URL(filePath: "/")
        @Sendable func load(_ site: URL) async throws -> [URL] { [site.appending(path: "a")] }
        @Sendable func fetch(_ page: URL) async throws -> String { page.lastPathComponent }
        @Sendable func summary(of pages: [String]) -> String { "\(pages.count)" }
        let workflow = Workflow("mirror")
        let index = try workflow.add("index") { try await load(site) }
        let pages = try workflow.map("page", over: index, key: { $0.path }) { try await fetch($0) }
        try workflow.add("report", after: pages) { pages in summary(of: pages) }
        let report = try await workflow.run(in: try .file(file), key: "2026-11-22")
        return (Set(report.restored), report.executed.count)
    }

    /// The snippets of the guide, compiled.
    func guide(_ load: @escaping @Sendable (URL) async throws -> [URL], _ site: URL) async throws {
        @Sendable func fetch(_ page: URL) async throws -> String { page.lastPathComponent }
        @Sendable func summary(of pages: [String]) -> String { "\(pages.count)" }
        let workflow = Workflow("mirror")
        let index = try workflow.add("index") { try await load(site) }
        let pages = try workflow.map("page", over: index, key: { $0.path }) { try await fetch($0) }
        try workflow.add("report", after: pages) { pages in summary(of: pages) }

        let report = try await workflow.run(in: .file("mirror.runs"), key: "2026-11-22")
        print("kept \(report.restored.count) steps, ran \(report.executed.count)")
    }

    /// The snippets of the page on stores, compiled.
    func list() throws {
        let store: any RunStore = try .file("mirror.runs", durability: .normal)
        for run in try store.runs(of: "mirror") {
            print(run.id.key, run.state)
        }
    }

    func server() throws {
        try PostgreSQLRunStore.prepare("postgresql://admin@db.example.org/runs")
        let store: any RunStore = try .postgreSQL("postgresql://runs@db.example.org/runs")
        print(try store.runs(of: nil).count)
    }

    /// How the guide plans a run.
    func look(_ workflow: Workflow) async throws {
        let plan = try await workflow.plan(in: .file("mirror.runs"), key: "2026-11-22")
        for step in plan.steps where step.action == .runs { print(step) }
    }

    private func nightly(isBroken: Bool) throws -> Workflow {
        let workflow = Workflow("nightly")
        let prices = try workflow.add("prices") { 3 }
        try workflow.add("invoices", after: prices) { prices in
            if isBroken { throw Broken() }
            return prices * 2
        }
        return workflow
    }

    @Test("DR-60: a program is a workflow with a name and an input")
    func program() async throws {
        let workflow = Workflow(Backup.name)
        try Backup.build(workflow, Backup.Input(folder: "/"))
        try await workflow.run()
        #expect(Backup.name == "backup" && workflow.tasks(named: "total").first?.result as? Int == 1)
    }

    @Test("DR-15: failed steps run again on request, finished ones don't")
    func failing() async throws {
        let store: any RunStore = .memory()
        _ = try? await nightly(isBroken: true).run(in: store, key: "tonight")
        let report = try await nightly(isBroken: false).run(in: store, key: "tonight", retryingFailures: true)
        #expect(report.restored == ["prices"] && report.executed == ["invoices"])
    }
}

private typealias MyStore = SQLiteRunStore

/// Compiled as the page shows it, and run in soak: the store is SQLite's, which has the same tests of its own.
@Suite("DR-72: a store of one's own", .timeLimit(.minutes(5)), .soakOnly)
final class OwnStoreSnippetTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "own-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func newPlace() -> String { folder.appending(path: UUID().uuidString).path }

    @Test(arguments: RunStoreRequirement.all)
    func `my store keeps runs as every store does`(requirement: RunStoreRequirement) async throws {
        let place = newPlace()
        try await requirement.check {
            try MyStore(path: place)
        } reopening: { _ in
            try MyStore(path: place)
        }
    }
}
