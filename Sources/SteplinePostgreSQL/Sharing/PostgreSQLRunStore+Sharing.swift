package import Foundation
package import SteplineRuns

extension PostgreSQLRunStore: SharedRunStore {
    package func join(_ profile: WorkerProfile) throws -> any WorkerSeat {
        let number = try RunStoreError.translating(name) {
            // If the answer is lost, a worker is left that nobody is, until its lease is over.
            try sessions.run(
                """
                INSERT INTO stepline.workers (workflow, host, process, space, slots, held_until)
                VALUES ($1, $2, $3, $4, $5, stepline.clock() + $6 * interval '1 second') RETURNING id
                """,
                [
                    Value(profile.workflow), Value(profile.host), Value(profile.process), Value(space?.text),
                    Value(profile.slots), Value(leases.length / .seconds(1)),
                ]
            ).first?.integer(0) ?? 0
        }
        return PostgreSQLSeat(number: number, profile: profile, store: self)
    }

    package func workers(of workflow: String?) throws -> [WorkerRecord] {
        try RunStoreError.translating(name) {
            try sessions.run(
                """
                SELECT id, workflow, host, process, slots, array_to_string(unknown, chr(10)), space
                FROM stepline.alive JOIN (SELECT id, space FROM stepline.workers) AS places USING (id)
                WHERE $1::text IS NULL OR workflow = $1 ORDER BY id
                """, [Value(workflow)])
        }.rows.compactMap { row in
            if space?.hasEnded(row.integer(3), in: row.isNull(6) ? nil : row.text(6)) == true { return nil }
            return WorkerRecord(
                number: row.integer(0),
                profile: WorkerProfile(
                    workflow: row.text(1), host: row.text(2), process: row.integer(3), slots: row.integer(4)),
                unknown: row.text(5).split(separator: "\n").map(String.init))
        }
    }

    package func offers(of id: RunID) throws -> [OfferRecord] {
        try RunStoreError.translating(name) {
            try sessions.run(
                """
                SELECT step, task, version, attempt, token, links, failures, interruptions, priority, cache_key,
                    worker_name, began, outcome IS NOT NULL
                FROM stepline.offers
                WHERE run = (SELECT id FROM stepline.runs WHERE workflow = $1 AND key = $2) ORDER BY step
                """, [Value(id.workflow), Value(id.key)])
        }.rows.map { row in
            OfferRecord(
                offer: OfferRow.offer(row, from: 0), worker: row.isNull(10) ? nil : row.text(10),
                began: row.date(11), hasEnded: row.truth(12))
        }
    }

    package func ownerless(of workflow: String) throws -> [RunRecord] {
        try RunStoreError.translating(name) {
            try sessions.retrying { try RunRow.left(of: workflow, in: $0) }
        }.filter { !isAlive($0) }.map(\.record)
    }

    package func attempt(of step: String, in id: RunID) throws -> Int {
        try RunStoreError.translating(name) {
            try sessions.run(
                """
                SELECT attempt FROM stepline.steps
                WHERE run = (SELECT id FROM stepline.runs WHERE workflow = $1 AND key = $2) AND name = $3
                """, [Value(id.workflow), Value(id.key), Value(step)])
        }.first?.integer(0) ?? 0
    }

    package func steps(_ names: [String], of id: RunID) throws -> [(step: StepRecord, result: Data?)] {
        try RunStoreError.translating(name) {
            try sessions.run(
                """
                SELECT name, state, attempt, token, version, links, failures, interruptions,
                    began, ended, due, wait, code, subject, message, underlying, size, worker, sum, result, run
                FROM unnest($3::text[]) AS wanted (step) CROSS JOIN LATERAL (
                    SELECT * FROM stepline.steps
                    WHERE run = (SELECT id FROM stepline.runs WHERE workflow = $1 AND key = $2)
                        AND name = wanted.step
                    LIMIT 1) AS found
                """, [Value(id.workflow), Value(id.key), .list(names.map(String?.some))])
        }.rows.map { row in
            let step = row.step
            guard let size = step.resultSize else { return (step, nil) }
            guard let bytes = row.data(19), bytes.count == size,
                ResultSum.isRight(row.integer(18), bytes, run: row.integer(20), step: step.name)
            else { throw RunStoreError.resultDamaged(of: step.name, store: name, "isn't what was written") }
            return (step, bytes)
        }
    }

    /// Tells idle workers that there is something to do: as many as there are steps for.
    ///
    /// Those that don't know each step may not know these, and are told besides. So are those that somebody is changing just
    /// now, who may be they themselves and have looked before: they may stay idle.
    func wakeWorkers(of workflow: String, atMost count: Int) throws {
        // In a transaction of its own: one that tells of something waits for all others that do. Nobody waits until it is
        // on the disk, either: whom a server that falls forgets to tell looks for itself when it is back.
        _ = try RunStoreError.translating(name) {
            try sessions.run(
                """
                WITH knowing AS (
                    SELECT id FROM stepline.workers
                    WHERE workflow = $1 AND is_idle AND held_until > stepline.clock() AND unknown = '{}' LIMIT $2
                    FOR UPDATE SKIP LOCKED),
                others AS (
                    SELECT id FROM stepline.workers
                    WHERE workflow = $1 AND is_idle AND held_until > stepline.clock() AND unknown <> '{}'
                    FOR UPDATE SKIP LOCKED),
                woken AS (
                    UPDATE stepline.workers SET is_idle = false
                    WHERE id IN (SELECT id FROM knowing UNION ALL SELECT id FROM others)
                    RETURNING id),
                passed AS (
                    SELECT id FROM stepline.workers
                    WHERE workflow = $1 AND is_idle AND held_until > stepline.clock()
                        AND (SELECT count(*) FROM knowing) < $2 AND id <> ALL(ARRAY(SELECT id FROM woken))
                    LIMIT $2)
                SELECT pg_notify('stepline_worker_' || id, ''),
                    set_config('synchronous_commit', 'off', true)
                FROM (SELECT id FROM woken UNION ALL SELECT id FROM passed) AS told
                """, [Value(workflow), Value(count)])
        }
    }

    /// Tells the owners of runs that there is something to be looked at.
    func wakeOwners(of runs: Set<Int>, _ news: RunNews) throws {
        _ = try RunStoreError.translating(name) {
            try sessions.run(
                """
                SELECT pg_notify('stepline_run_' || run, $2), set_config('synchronous_commit', 'off', true)
                FROM unnest($1::int8[]) AS run
                """,
                [.list(runs.map(Int?.some)), Value(news.rawValue)])
        }
    }

    /// Offers again what was in the hands of workers that are gone.
    ///
    /// No lease can be renewed while the server is away or stands still. So leases count as over only once the server has
    /// been there for the length of one.
    func sweep() throws {
        let start = clock.uptime
        let workflows = try RunStoreError.translating(name) {
            try sessions.transaction { session -> Set<String> in
                let gone = try self.gone(in: session, since: start)
                // What a worker took at the moment in which it was swept away itself.
                let left = try session.run(
                    """
                    SELECT DISTINCT worker, workflow FROM stepline.offers
                    WHERE worker IS NOT NULL AND outcome IS NULL
                        AND NOT EXISTS (SELECT FROM stepline.workers WHERE workers.id = offers.worker)
                    """, []
                ).rows
                let found = (gone + left).map { ($0.integer(0), $0.text(1)) }
                guard !found.isEmpty else { return [] }
                let ids = Value.list(found.map { Int?.some($0.0) })
                try session.run(
                    """
                    UPDATE stepline.offers SET
                        interruptions = interruptions + 1,
                        outcome = CASE WHEN to_stop THEN 3 WHEN interruptions + 1 >= $2 THEN 4 END,
                        worker = CASE WHEN to_stop OR interruptions + 1 >= $2 THEN worker END,
                        worker_name = CASE WHEN to_stop OR interruptions + 1 >= $2 THEN worker_name END,
                        began = CASE WHEN to_stop OR interruptions + 1 >= $2 THEN began END
                    WHERE worker = ANY($1::int8[]) AND outcome IS NULL
                    """, [ids, Value(StepOffer.mostInterruptions)])
                try session.run("DELETE FROM stepline.workers WHERE id = ANY($1::int8[])", [ids])
                return Set(found.map(\.1))
            }
        }
        for workflow in workflows { try wakeWorkers(of: workflow, atMost: 1000) }
    }

    /// The workers that are gone, by number and workflow; nobody else takes them for gone before the transaction ends.
    ///
    /// `start` is the uptime at which the server was asked.
    private func gone(in session: Session, since start: Duration) throws -> [Answer.Row] {
        // The living aren't held: who wakes them, or they themselves, would have to wait or pass them over.
        let ended = try session.run(
            "SELECT id, process FROM stepline.workers WHERE space = $1", [Value(space?.text)]
        ).rows.filter { space?.hasEnded($0.integer(1), in: space?.text) == true }
        let ids = ended.map { Int?.some($0.integer(0)) }
        let late = try session.run(
            """
            SELECT id, workflow FROM stepline.workers
            WHERE greatest(held_until, pg_postmaster_start_time() + $2 * interval '1 second') <= stepline.clock()
                OR id = ANY($1::int8[])
            FOR UPDATE SKIP LOCKED
            """, [.list(ids), Value(leases.length / .seconds(1))]
        ).rows.map(\.self)
        // The server may have stood still until just before its answer.
        let epoch = try session.run("SELECT extract(epoch FROM stepline.clock())::float8", [])
        let server = Duration.seconds(epoch.first?.double(0) ?? 0)
        let areCounted = silence.withLock {
            $0.areLeasesCounted(leases.length, server: server, asked: start, at: clock.uptime)
        }
        return areCounted ? late : late.filter { ids.contains($0.integer(0)) }
    }
}
