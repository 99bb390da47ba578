import Foundation
import SteplineJSON
import SteplinePostgreSQL
import SteplineRuns
import SteplineRunsTesting
import SteplineTesting
import TestServers
import TestSupport
import Testing

/// A flow whose run is kept on a server, the processes that work on it, and the site that it loads.
final class SharedFlow: Sendable {
    static let pages = ["a", "b", "c", "d", "e", "f"]

    /// A map, a growing map of four elements, joins, a task that is skipped, one that takes its result, a map that is
    /// one step, and a last task.
    private static let text = """
        { parameters: { s: "", loud: false }, tasks: {
          index: { steps: [ { load: "${s}/index" }, { parse: "json" }, { save: "index.json" } ] },
          title: { steps: [ { load: "${s}/title" }, { parse: "text" } ] },
          page: { after: "index", map: "${tasks.index}", key: "item", steps: [
            { load: "${s}/page/${item}" }, { parse: "text" }, { save: "pages/${item}.txt" },
            { transform: "it" } ] },
          walk: { after: "index", map: ["a"], most: 9, steps: [
            { value: ["${item + 'x'}"] }, { filter: "length(it) < 5" }, { grow: "$[*]" },
            { transform: "item" } ] },
          loud: { after: "title", when: "loud", steps: [ { use: "title" } ] },
          most: { after: "index", map: ["a", "?"], skipFailures: true, steps: [
            { load: "${s}/page/${item}" }, { parse: "text" } ] },
          book: { after: ["title", "page", "walk", "most"], steps: [
            { value: { title: "${tasks.title}", pages: "${tasks.page}", walk: "${tasks.walk}", most: "${tasks.most}" } },
            { save: "book.json" } ] },
          report: { runs: "always", steps: [
            { value: { result: "${run.result}", tasks: "${run.tasks}" } }, { save: "report.json" } ] },
        } }
        """

    let flow: FlowCommandRun
    let site: LoopbackServer
    /// No page is handed out before it opens.
    let gate = Gate()
    /// Hears of each page that is asked for.
    let asked = Recorder<String>()
    let store: String

    /// The gate opens by itself once so many pages are asked for.
    init(openingAt count: Int = .max) async throws {
        flow = try FlowCommandRun(Self.text)
        store = try await TestServer.shared().newDatabase()
        site = try LoopbackServer()
        site.route("/index", .text("[" + Self.pages.map { "\"\($0)\"" }.joined(separator: ",") + "]"))
        site.route("/title", .text("Letters"))
        for page in Self.pages {
            site.route("/page/\(page)") { [gate, asked] request in
                asked.record(request.target)
                if asked.count >= count { gate.open() }
                gate.block()
                return .text(String(repeating: page, count: 3))
            }
        }
    }

    deinit { gate.open() }

    private var id: RunID { RunID("flow", key: "k") }
    private var runWords: [String] {
        ["run", "flow.json5", "--key", "k", "--set", "s=http://127.0.0.1:\(site.port)"]
    }

    /// Starts the process that owns the run.
    func run(_ words: String...) throws -> StartedCommand {
        try StartedCommand(
            runWords + ["--store", store, "--on", "workers"] + words, in: flow.folder.url)
    }

    /// Starts the process that owns the run, whose workers Slurm starts.
    func run(
        in cluster: TestCluster, _ words: String..., workers: String, comment: String
    ) throws -> StartedCommand {
        let log = flow.folder.url.appending(path: "%a.log").path(percentEncoded: false)
        return try StartedCommand(
            runWords + [
                "--store", store, "--on", "slurm", "--workers", workers, "--slots", "1", "--idle", "2s",
                "--grace", "100ms", "--sbatch=--comment=\(comment)", "--sbatch=--output=\(log)",
            ] + words, in: flow.folder.url, environment: cluster.environment)
    }

    /// Starts a worker.
    func work(_ words: String..., slots: Int = 1) throws -> StartedCommand {
        try StartedCommand(
            ["work", "flow.json5", "--json", "--slots", "\(slots)"] + words, in: flow.folder.url,
            environment: ["STEPLINE_STORE": store])
    }

    func show() async throws -> CommandResult { try await flow("runs", "show", "k", "--store", store) }

    /// The steps as they are kept on the server.
    func steps() throws -> [String: StepRecord] {
        try (PostgreSQLRunStore(store) as any RunStore).stepsByName(of: id)
    }

    /// Waits until the store has the wanted steps.
    func waitForSteps(_ isNeeded: ([String: StepRecord]) -> Bool) async throws {
        let store: any RunStore = try PostgreSQLRunStore(store)
        try await eventually("the steps are not as wanted") { try isNeeded(store.stepsByName(of: id)) }
    }

    /// Demands the same steps, results and files as the run has without workers.
    func expectTheSame() async throws {
        gate.open()
        let plain = try FlowCommandRun(Self.text)
        let result = try await Command.run(runWords + ["--store", "plain.runs"], in: plain.folder.url)
        #expect(result.status == 0, "\(result.errors)")
        let file = plain.folder.url.appending(path: "plain.runs").path(percentEncoded: false)
        let (one, many): (any RunStore, any RunStore) = try (.file(file), .postgreSQL(store))
        let states = try one.stepsByName(of: id).mapValues(\.state)
        #expect(try many.stepsByName(of: id).mapValues(\.state) == states)
        #expect(states.count == Self.pages.count + 14 && states.values.allSatisfy { $0 == .finished })
        for name in states.keys.sorted() {
            let values = try [one, many].map { store in
                try store.result(of: name, in: id).flatMap { try? JSON(parsing: $0)["value"] }
            }
            #expect(values[0] == values[1], "\(name)")
        }
        for name in ["book.json", "report.json", "index.json"] + Self.pages.map({ "pages/\($0).txt" }) {
            let (expected, found) = try (plain.folder.text(name), flow.folder.text(name))
            #expect(found == expected, "\(name)")
        }
    }
}

extension CommandResult {
    /// The lines of JSON that a worker has written.
    var lines: [JSON] {
        get throws { try output.split(separator: "\n").map { try JSON(parsing: String($0)) } }
    }

    /// The steps of which a worker has told that event.
    func steps(_ event: String) throws -> [String] {
        try lines.filter { $0["event"]?.string == event }.compactMap { $0["step"]?.string }
    }
}
