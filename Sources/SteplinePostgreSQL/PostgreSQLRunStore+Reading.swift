public import Foundation
public import SteplineRuns

extension PostgreSQLRunStore {
    /// Returns all runs, newest first, optionally of one workflow only.
    public func runs(of workflow: String?) throws -> [RunRecord] {
        let rows = try RunStoreError.translating(name) {
            try sessions.retrying { try RunRow.all(of: workflow, in: $0) }
        }
        return rows.map(record)
    }

    /// Returns one run; nil if it doesn't exist.
    public func run(_ id: RunID) throws -> RunRecord? {
        try RunStoreError.translating(name) {
            try sessions.retrying { try RunRow.find(id, in: $0) }
        }.map(record)
    }

    private func record(_ row: RunRow) -> RunRecord {
        var record = row.record
        record.isOpen = isAlive(row)
        return record
    }

    /// Calls `body` for each step of a run, sorted by UTF-8 bytes of the names, without results.
    ///
    /// A connection lost after the first step is an error, since another connection would read another snapshot.
    public func forEachStep(of id: RunID, _ body: (StepRecord) throws -> Void) throws {
        let number = try RunStoreError.translating(name) {
            try sessions.retrying { try self.number(of: id, in: $0) }
        }
        try forEachStep(ofRun: number, body)
    }

    /// Returns one step without its result; nil if it isn't stored.
    public func step(_ name: String, of id: RunID) throws -> StepRecord? {
        try RunStoreError.translating(self.name) {
            try sessions.retrying { session in
                try session.run(
                    """
                    SELECT name, state, attempt, token, version, links, failures, interruptions,
                        began, ended, due, wait, code, subject, message, underlying, size, worker
                    FROM stepline.steps WHERE run = $1 AND name = $2
                    """, [Value(number(of: id, in: session)), Value(name)]
                ).first?.step
            }
        }
    }

    /// The signals that have come for a run, in the order in which they came.
    public func signals(of id: RunID) throws -> [RunSignal] {
        try RunStoreError.translating(name) {
            try sessions.retrying { session in
                try session.run(
                    "SELECT kind, condition, value FROM stepline.signals WHERE run = $1 ORDER BY id",
                    [Value(number(of: id, in: session))]
                ).rows.map(SignalRow.read)
            }
        }
    }

    /// The former attempts of steps that have run again, the oldest first.
    public func history(of id: RunID) throws -> [StepRecord] {
        try RunStoreError.translating(name) {
            try sessions.retrying { session in
                try session.run(
                    """
                    SELECT name, state, attempt, token, version, links, failures, interruptions,
                        began, ended, due, wait, code, subject, message, underlying, size, worker
                    FROM stepline.history WHERE run = $1 ORDER BY id
                    """, [Value(number(of: id, in: session))]
                ).rows.map { $0.step }
            }
        }
    }

    /// Returns the result of a step; nil if it has none.
    public func result(of step: String, in id: RunID) throws -> Data? {
        try RunStoreError.translating(name) {
            try sessions.retrying { session in
                try result(of: step, ofRun: number(of: id, in: session), in: session)
            }
        }
    }

    /// Returns a finished step with that cache key; see `RunStore.cachedStep(_:endedIn:)`.
    public func cachedStep(_ key: String, endedIn dates: ClosedRange<Date>) throws -> CachedStep? {
        try RunStoreError.translating(name) {
            let answer = try sessions.run(
                """
                SELECT steps.name, runs.workflow, runs.key FROM stepline.cached
                JOIN stepline.steps ON steps.run = cached.run AND steps.name = cached.name
                    AND steps.attempt = cached.attempt AND steps.state = 3
                JOIN stepline.runs ON runs.id = cached.run
                WHERE cached.key = $1 AND steps.ended BETWEEN $2 AND $3 ORDER BY steps.ended DESC LIMIT 1
                """,
                [Value(key), Value(Date?.some(dates.lowerBound)), Value(Date?.some(dates.upperBound))])
            return answer.first.map { CachedStep($0.text(0), of: RunID($0.text(1), key: $0.text(2))) }
        }
    }

    /// Returns a number that changes with every transaction that ends on the server, including unrelated ones.
    public func changeMark() throws -> Int? {
        try RunStoreError.translating(name) {
            try sessions.run("SELECT hashtextextended(pg_current_snapshot()::text, 0)", []).first?.integer(0)
        }
    }

    /// Calls `body` for each step; `isOwned` means that no other process writes steps, so that a lost connection can
    /// resume.
    func forEachStep(ofRun run: Int, isOwned: Bool = false, _ body: (StepRecord) throws -> Void) throws {
        // The name to resume after.
        var last: String?
        try RunStoreError.translating(name) {
            try sessions.retrying { session in
                // The transaction holds no lock that others need, so `body` may take any time.
                try session.run("BEGIN READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0")
                do {
                    // A cursor yields the snapshot of its opening, and needs memory for one page only.
                    try session.run(
                        """
                        DECLARE steps NO SCROLL CURSOR FOR
                        SELECT name, state, attempt, token, version, links, failures, interruptions,
                            began, ended, due, wait, code, subject, message, underlying, size, worker
                        FROM stepline.steps WHERE run = $1 AND ($2::text IS NULL OR name > $2) ORDER BY name
                        """, [Value(run), Value(last)])
                    while true {
                        let page = try session.run("FETCH 2000 FROM steps", [])
                        for row in page.rows {
                            let step = row.step
                            last = step.name
                            try body(step)
                        }
                        if page.count == 0 { break }
                    }
                    try session.run("COMMIT")
                } catch let failure as ServerFailure where failure.isLost && last != nil && !isOwned {
                    // Steps were delivered already, and another snapshot may differ from them.
                    throw RunStoreError(failure, store: name)
                } catch {
                    _ = try? session.run("ROLLBACK")
                    throw error
                }
            }
        }
    }

    func result(of step: String, ofRun run: Int) throws -> Data? {
        try RunStoreError.translating(name) {
            try sessions.retrying { try result(of: step, ofRun: run, in: $0) }
        }
    }

    private func result(of step: String, ofRun run: Int, in session: Session) throws -> Data? {
        let answer = try session.run(
            "SELECT size, sum, result FROM stepline.steps WHERE run = $1 AND name = $2 AND size IS NOT NULL",
            [Value(run), Value(step)])
        guard let row = answer.first else { return nil }
        guard let bytes = row.data(2), bytes.count == row.integer(0),
            ResultSum.isRight(row.integer(1), bytes, run: run, step: step)
        else { throw RunStoreError.resultDamaged(of: step, store: name, "isn't what was written") }
        return bytes
    }
}
