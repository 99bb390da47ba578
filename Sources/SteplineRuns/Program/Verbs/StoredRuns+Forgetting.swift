import Foundation

extension StoredRuns {
    private struct Forgotten: Encodable {
        let forgotten: Int
    }

    /// Removes a run and all its data.
    package func forget(_ key: String) throws -> RunsAnswer {
        let run = try run(key)
        return try answer(try store.forget(run.id) ? 1 : 0)
    }

    /// Removes the runs that ended longer ago than `age`, of one workflow if it is set.
    package func forget(olderThan age: Duration) throws -> RunsAnswer {
        let date = now.addingTimeInterval(-(age / .seconds(1)))
        // The store decides: a run that was listed as old may have been opened again before its removal.
        return try answer(try store.forget(endedBefore: date, of: workflow))
    }

    private func answer(_ count: Int) throws -> RunsAnswer {
        if isJSON { return try RunsAnswer(json: Forgotten(forgotten: count)) }
        return RunsAnswer(lines: ["\(RunsText.count(count, "run")) forgotten"])
    }
}
