import Foundation
import SteplineRuns

/// A row of the table `runs`.
struct RunRow {
    /// The number of the run, which other tables refer to.
    let number: Int
    /// The run, with `isOpen` false; the caller checks `isHeld` and the process.
    let record: RunRecord
    /// The random number of the latest opening.
    let opening: UInt64
    /// Whether the owner's lease is valid.
    let isHeld: Bool
    /// The space of the owner's process number; see `ProcessSpace`.
    let space: String?

    private init(_ row: Answer.Row) {
        number = row.integer(0)
        record = RunRecord(
            id: RunID(row.text(1), key: row.text(2)), created: row.date(3) ?? .distantPast,
            ending: row.isNull(4) ? nil : RunEnding(number: row.integer(4), reason: row.text(5)),
            ended: row.date(6),
            owner: RunOwner(
                host: row.text(7), process: row.integer(8), token: row.unsigned(9),
                since: row.date(10) ?? .distantPast),
            isOpen: false, openings: row.integer(11), finished: row.integer(12), failed: row.integer(13),
            input: row.data(14))
        opening = row.unsigned(15)
        isHeld = row.truth(16)
        space = row.isNull(17) ? nil : row.text(17)
    }

    /// Returns the run of that name; nil if it doesn't exist.
    ///
    /// `locking` holds the row's lock until the transaction ends.
    static func find(_ id: RunID, locking: Bool = false, in session: Session) throws -> RunRow? {
        if locking {
            // Lock first and read afterwards: the snapshot of the second statement includes all earlier commits.
            let held = try session.run(
                "SELECT FROM stepline.runs WHERE workflow = $1 AND key = $2 FOR NO KEY UPDATE",
                [Value(id.workflow), Value(id.key)])
            // Don't return a run that another process has created since: its row isn't locked.
            if held.count == 0 { return nil }
        }
        // The counters include ends that the owner hasn't acknowledged.
        let answer = try session.run(
            """
            SELECT id, workflow, key, created, ending, reason, ended, host, process, token, since,
                openings, runs.finished + coalesce(unheard.finished, 0)::int8,
                runs.failed + coalesce(unheard.failed, 0)::int8, input, opening,
                coalesce(held_until > stepline.clock(), false), space
            FROM stepline.runs CROSS JOIN LATERAL (
                SELECT sum(finished) AS finished, sum(failed) AS failed FROM stepline.offers
                WHERE run = runs.id AND outcome IS NOT NULL) AS unheard
            WHERE workflow = $1 AND key = $2
            """, [Value(id.workflow), Value(id.key)])
        return answer.first.map { RunRow($0) }
    }

    /// Returns all runs, newest first, by order of creation, which doesn't depend on the clock.
    static func all(of workflow: String?, in session: Session) throws -> [RunRow] {
        try session.run(
            """
            SELECT id, workflow, key, created, ending, reason, ended, host, process, token, since,
                openings, runs.finished + coalesce(unheard.finished, 0)::int8,
                runs.failed + coalesce(unheard.failed, 0)::int8, input, opening,
                coalesce(held_until > stepline.clock(), false), space
            FROM stepline.runs CROSS JOIN LATERAL (
                SELECT sum(finished) AS finished, sum(failed) AS failed FROM stepline.offers
                WHERE run = runs.id AND outcome IS NOT NULL) AS unheard
            WHERE $1::text IS NULL OR workflow = $1 ORDER BY id DESC
            """, [Value(workflow)]
        ).rows.map { RunRow($0) }
    }

    /// Returns the runs without an ending that are open to workers.
    static func left(of workflow: String, in session: Session) throws -> [RunRow] {
        try session.run(
            """
            SELECT id, workflow, key, created, ending, reason, ended, host, process, token, since,
                openings, runs.finished + coalesce(unheard.finished, 0)::int8,
                runs.failed + coalesce(unheard.failed, 0)::int8, input, opening,
                coalesce(held_until > stepline.clock(), false), space
            FROM stepline.runs CROSS JOIN LATERAL (
                SELECT sum(finished) AS finished, sum(failed) AS failed FROM stepline.offers
                WHERE run = runs.id AND outcome IS NOT NULL) AS unheard
            WHERE workflow = $1 AND left_to_workers AND ending IS NULL ORDER BY id
            """, [Value(workflow)]
        ).rows.map { RunRow($0) }
    }

    /// Inserts a run without openings, if none of that name exists; `isLeft` leaves it to workers.
    static func insert(
        _ id: RunID, input: Data?, owner: RunOwner, at now: Date, isLeft: Bool = false, in session: Session
    ) throws {
        // An insert that hits a conflict would still consume a number of the sequence.
        if try find(id, in: session) != nil { return }
        try session.run(
            """
            INSERT INTO stepline.runs (workflow, key, created, host, process, token, since, input, left_to_workers)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::int8 <> 0) ON CONFLICT DO NOTHING
            """,
            [
                Value(id.workflow), Value(id.key), Value(now), Value(owner.host), Value(owner.process),
                Value(owner.token), Value(owner.since), Value(input), Value(isLeft ? 1 : 0),
            ])
    }

    static func give(
        _ number: Int, to owner: RunOwner, _ opening: UInt64, space: String?, _ lease: Duration,
        in session: Session
    ) throws {
        try session.run(
            """
            UPDATE stepline.runs SET host = $2, process = $3, token = $4, since = $5, opening = $6, space = $7,
                held_until = stepline.clock() + $8 * interval '1 second', openings = openings + 1,
                batch = NULL, refused = NULL
            WHERE id = $1
            """,
            [
                Value(number), Value(owner.host), Value(owner.process), Value(owner.token),
                Value(owner.since),
                Value(opening), Value(space), Value(lease / .seconds(1)),
            ])
    }
}
