import Foundation
import SteplineRuns

/// Changes of one run's steps, applied in memory and written in few statements.
struct StepBatch {
    /// The indices of the refused changes.
    private(set) var refused: [Int] = []
    /// The change of the run's counters by each step, by name.
    private(set) var counts: [String: StepCounts] = [:]

    /// The names of the steps that have rows.
    private let known: Set<String>
    private var steps: [String: StepRecord]
    /// The names of the changed steps, in the order of their first change.
    private var changed: [String] = []
    private var results: [String: Data] = [:]
    private var history: [StepRecord] = []
    private var cached: [String: (attempt: Int, key: String)] = [:]

    /// The change of the run's counters by all steps.
    var sum: StepCounts { counts.values.reduce(StepCounts(), +) }

    /// Whether any change was accepted.
    var hasTaken: Bool { !changed.isEmpty }

    /// Applies changes in order to the stored states of their steps.
    init(_ changes: [StepChange], to known: [StepRecord]) {
        self.known = Set(known.map(\.name))
        steps = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
        var seen: Set<String> = []
        for (place, change) in changes.enumerated() {
            let old = steps[change.step] ?? StepRecord(name: change.step)
            guard let new = old.taking(change) else {
                refused.append(place)
                continue
            }
            if old.isReplaced(by: change) { history.append(old) }
            counts[change.step, default: StepCounts()].add(from: old.state, to: new.state)
            // Only the last state of a step is written.
            steps[change.step] = new
            results[change.step] = nil
            cached[change.step] = nil
            if case .finished(let data) = change.kind {
                results[change.step] = data
                cached[change.step] = change.cacheKey.map { (change.attempt, $0) }
            }
            if seen.insert(change.step).inserted { changed.append(change.step) }
        }
    }

    /// Reads and locks the rows of steps.
    ///
    /// Each row is looked up by its key, in the order of names. Owners and workers lock the same rows: the common order
    /// prevents deadlocks. A join would let the server choose a plan that reads the whole run.
    static func known(_ names: Set<String>, of run: Int, in session: Session) throws -> [StepRecord] {
        try session.run(
            """
            SELECT name, state, attempt, token, version, links, failures, interruptions,
                began, ended, due, wait, code, subject, message, underlying, size, worker
            FROM unnest($2::text[]) AS wanted (step) CROSS JOIN LATERAL (
                SELECT * FROM stepline.steps WHERE run = $1 AND name = wanted.step LIMIT 1
                FOR NO KEY UPDATE) AS found
            """, [Value(run), .list(names.sorted().map(String?.some))]
        ).rows.map { $0.step }
    }

    /// Writes all rows; throws `overtaken` if another transaction has inserted one of these steps meanwhile.
    func write(run: Int, in session: Session) throws {
        if !history.isEmpty { try writeHistory(run, session) }
        if !changed.isEmpty { try writeSteps(run, session) }
        if !cached.isEmpty { try writeCached(run, session) }
    }

    private func writeSteps(_ run: Int, _ session: Session) throws {
        // Owners and workers write in the same order, so that they can't deadlock.
        let rows = changed.sorted().compactMap { steps[$0] }
        try writeSteps(rows.filter { !known.contains($0.name) }, areKnown: false, run, session)
        try writeSteps(rows.filter { known.contains($0.name) }, areKnown: true, run, session)
    }

    // Known rows are locked since they were read. Unknown ones must still be missing: an insert that replaced a row
    // would lose its history and corrupt the run's counters. $22 therefore permits updates of known rows only.
    private func writeSteps(
        _ rows: [StepRecord], areKnown: Bool, _ run: Int, _ session: Session
    ) throws {
        if rows.isEmpty { return }
        let sums = rows.map { row in
            results[row.name].map { ResultSum.of($0, run: run, step: row.name) }
        }
        let answer = try session.run(
            """
            INSERT INTO stepline.steps (
                run, name, state, attempt, token, version, links, failures, interruptions,
                began, ended, due, wait, code, subject, message, underlying, size, worker, sum, result)
            SELECT $1::int8, * FROM unnest(
                $2::text[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[], $9::int8[],
                $10::float8[], $11::float8[], $12::float8[], $13::float8[],
                $14::text[], $15::text[], $16::text[], $17::text[], $18::int8[], $19::text[],
                $20::int8[], $21::bytea[])
            ON CONFLICT (run, name) DO UPDATE SET
                state = excluded.state, attempt = excluded.attempt, token = excluded.token,
                version = excluded.version, links = excluded.links, failures = excluded.failures,
                interruptions = excluded.interruptions, began = excluded.began, ended = excluded.ended,
                due = excluded.due, wait = excluded.wait, code = excluded.code, subject = excluded.subject,
                message = excluded.message, underlying = excluded.underlying,
                size = excluded.size, worker = excluded.worker, sum = excluded.sum, result = excluded.result
            WHERE $22::int8 <> 0
            """,
            [Value(run)] + StepColumns.lists(rows)
                + [.list(sums), .list(rows.map { results[$0.name] }), Value(areKnown ? 1 : 0)])
        // A row was inserted meanwhile: repeat the transaction.
        guard answer.changes == rows.count else { throw ServerFailure.overtaken }
    }

    private func writeHistory(_ run: Int, _ session: Session) throws {
        try session.run(
            """
            INSERT INTO stepline.history (
                run, name, state, attempt, token, version, links, failures, interruptions,
                began, ended, due, wait, code, subject, message, underlying, size, worker)
            SELECT $1::int8, row.* FROM ROWS FROM (unnest(
                $2::text[], $3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::int8[], $9::int8[],
                $10::float8[], $11::float8[], $12::float8[], $13::float8[],
                $14::text[], $15::text[], $16::text[], $17::text[], $18::int8[], $19::text[])) AS row
            """, [Value(run)] + StepColumns.lists(history))
    }

    /// Makes results available to other runs.
    private func writeCached(_ run: Int, _ session: Session) throws {
        let rows = Array(cached)
        try session.run(
            """
            INSERT INTO stepline.cached SELECT $1::int8, * FROM unnest($2::text[], $3::int8[], $4::text[])
            ON CONFLICT (run, name) DO UPDATE SET attempt = excluded.attempt, key = excluded.key
            """,
            [
                Value(run), .list(rows.map { String?.some($0.key) }),
                .list(rows.map { Int?.some($0.value.attempt) }),
                .list(rows.map { String?.some($0.value.key) }),
            ])
    }
}
