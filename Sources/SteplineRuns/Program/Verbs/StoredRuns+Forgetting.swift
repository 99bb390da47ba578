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
        // The store removes runs of all workflows in one call.
        guard let workflow else { return try answer(try store.forget(endedBefore: date)) }
        let old = try store.runs(of: workflow).filter { run in
            guard !run.isOpen, run.ending != nil, let ended = run.ended else { return false }
            // `<` and not `<=`: a run that ended exactly then is kept.
            return ended < date
        }
        return try answer(try old.count { try store.forget($0.id) })
    }

    private func answer(_ count: Int) throws -> RunsAnswer {
        if isJSON { return try RunsAnswer(json: Forgotten(forgotten: count)) }
        return RunsAnswer(lines: ["\(RunsText.count(count, "run")) forgotten"])
    }
}
