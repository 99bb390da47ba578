package import Foundation

/// The verbs for the runs of a store: each reads or changes runs and returns the text to print.
package struct StoredRuns: Sendable {
    let store: any RunStore
    /// The workflow whose runs are visible; nil for all.
    let workflow: String?
    let isJSON: Bool
    let guide: RunsGuide
    let now: Date
    /// Returns the reasons for the skipped steps of a run, by name; a store has them as finished.
    let skips: @Sendable (RunRecord) -> [String: String]

    package init(
        _ store: any RunStore, of workflow: String?, isJSON: Bool, guide: RunsGuide, now: Date = Date(),
        skips: @escaping @Sendable (RunRecord) -> [String: String] = { _ in [:] }
    ) {
        self.store = store
        self.workflow = workflow
        self.isJSON = isJSON
        self.guide = guide
        self.now = now
        self.skips = skips
    }

    /// Returns the run with a key or `workflow/key`; throws an error if there is none or more than one.
    package func run(_ word: String) throws -> RunRecord {
        // An exact key of the program's own workflow takes precedence.
        if let workflow, let run = try store.run(RunID(workflow, key: word)) { return run }
        let all = try store.runs(of: workflow)
        let found = all.filter { $0.id.key == word }
        if found.count > 1 {
            let names = found.map(\.id.description).joined(separator: ", ")
            throw RunsError(
                "\(store.name) has \(found.count) runs with this key; give one of: \(names)", isUsage: true)
        }
        // A whole key takes precedence over `workflow/key`, since keys may contain slashes.
        if let run = found.first ?? all.first(where: { $0.id.description == word }) { return run }
        let known = all.prefix(5).map(workflow == nil ? \.id.description : \.id.key).joined(separator: ", ")
        let more = all.count > 5 ? " and \(all.count - 5) more" : ""
        throw RunsError(
            "\(store.name) has no run \(word)"
                + (known.isEmpty ? "; it has no runs" : "; it has \(known)\(more)"))
    }

    /// The message after the store was prepared.
    package var prepared: RunsAnswer { RunsAnswer(lines: ["\(store.name) is prepared"]) }

    /// Runs, the newest first: all of them, those in a state, those that were made longer ago than that.
    package func list(in state: RunState? = nil, olderThan age: Duration? = nil) throws -> RunsAnswer {
        let latest = age.map { now.addingTimeInterval(-($0 / .seconds(1))) } ?? .distantFuture
        let runs = try store.runs(of: workflow).filter { run in
            // Without a filter, the state is compared with itself.
            run.state == state ?? run.state && run.created < latest
        }
        if isJSON { return try RunsAnswer(json: runs.map(RunView.init)) }
        guard !runs.isEmpty else { return RunsAnswer(lines: ["no runs"]) }
        let rows = runs.map { run in
            [
                run.id.workflow, run.id.key, run.state.rawValue, "\(run.finished)", "\(run.failed)",
                RunsText.date(run.created), RunsText.date(run.ended),
            ]
        }
        return RunsAnswer(
            lines: RunsText.table(
                ["workflow", "key", "state", "finished", "failed", "created (UTC)", "ended (UTC)"], rows))
    }
}
