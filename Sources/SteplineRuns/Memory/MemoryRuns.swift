import Foundation

/// The runs of a memory store.
struct MemoryRuns {
    private var runs: [RunID: MemoryRun] = [:]
    private var made = 0  // the number of runs created so far

    subscript(_ id: RunID) -> MemoryRun? { runs[id] }

    func livingOwner(of id: RunID) -> RunOwner? {
        runs[id].flatMap { $0.record.isOpen ? $0.record.owner : nil }
    }

    /// Returns the runs, newest first, by order of creation, which doesn't depend on the clock.
    func records(of workflow: String?) -> [RunRecord] {
        runs.values.filter { workflow == nil || $0.record.id.workflow == workflow }
            .sorted { $0.number > $1.number }.map(\.record)
    }

    /// Returns the latest step of any run with that cache key that ended between two dates.
    func step(cachedAs key: String, endedIn dates: ClosedRange<Date>) -> CachedStep? {
        var latest: (ended: Date, step: CachedStep)?
        for (id, run) in runs {
            guard let step = run.step(cachedAs: key), let ended = step.ended, dates.contains(ended) else {
                continue
            }
            // Without an earlier candidate, the date is compared with itself.
            if ended >= latest?.ended ?? ended { latest = (ended, CachedStep(step.name, of: id)) }
        }
        return latest?.step
    }

    /// Creates a run without openings; returns false if it exists.
    mutating func create(_ id: RunID, input: Data?, by creator: RunOwner, at now: Date) -> Bool {
        guard runs[id] == nil else { return false }
        runs[id] = new(id, input, creator, now)
        return true
    }

    mutating func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) -> RunRecord {
        var run = runs[id] ?? new(id, input, owner, now)
        run.record.owner = owner
        // The ending stays until the first accepted change.
        run.record.isOpen = true
        run.record.openings += 1
        runs[id] = run
        return run.record
    }

    private mutating func new(_ id: RunID, _ input: Data?, _ creator: RunOwner, _ now: Date) -> MemoryRun {
        made += 1
        return MemoryRun(
            number: made,
            record: RunRecord(
                id: id, created: now, ending: nil, ended: nil, owner: creator, isOpen: false, openings: 0,
                finished: 0, failed: 0, input: input))
    }

    /// Changes a run in place; returns nil if it doesn't exist.
    mutating func change<R>(_ id: RunID, _ body: (inout MemoryRun) throws -> R) rethrows -> R? {
        guard let place = runs.index(forKey: id) else { return nil }
        // In place: a second reference to the run would copy its dictionary of steps at each change.
        return try body(&runs.values[place])
    }

    mutating func forget(_ isOver: (MemoryRun) -> Bool) -> Int {
        let before = runs.count
        runs = runs.filter { !isOver($0.value) }
        return before - runs.count
    }
}
