package import Foundation
package import SteplineRuns

extension PostgreSQLRunStore: SharedRunStore {
    package func join(_ profile: WorkerProfile) throws -> any WorkerMembership {
        let number = try RunStoreError.translating(name) {
            // If the answer is lost, a worker without a process remains until its lease expires.
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
        return PostgreSQLMembership(number: number, profile: profile, store: self)
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
            // The lease may still be valid although the process is gone.
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
                    element, worker_name, began, outcome IS NOT NULL
                FROM stepline.offers
                WHERE run = (SELECT id FROM stepline.runs WHERE workflow = $1 AND key = $2) ORDER BY step
                """, [Value(id.workflow), Value(id.key)])
        }.rows.map { row in
            OfferRecord(
                offer: OfferRow.offer(row, from: 0), worker: row.isNull(11) ? nil : row.text(11),
                began: row.date(12), hasEnded: row.truth(13))
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
            // Check each result against its checksum.
            let step = row.step
            guard let size = step.resultSize else { return (step, nil) }
            guard let bytes = row.data(19), bytes.count == size,
                ResultSum.isRight(row.integer(18), bytes, run: row.integer(20), step: step.name)
            else { throw RunStoreError.resultDamaged(of: step.name, store: name, "isn't what was written") }
            return (step, bytes)
        }
    }

    /// Notifies idle workers of new steps, at most as many as there are steps.
    ///
    /// Workers that have refused tasks may refuse these too, so all of them are notified in addition. Workers whose row
    /// is locked are notified as well: such a worker may just be going idle after it looked for steps.
    func wakeWorkers(of workflow: String, atMost count: Int) throws {
        // In a transaction of its own: transactions that notify commit one after the other. Without waiting for the
        // disk: workers poll after a crash of the server.
        _ = try RunStoreError.translating(name) {
            // `knowing`: workers without refused tasks. `others`: the rest. `passed`: rows locked by another
            // transaction.
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

    /// Notifies the owners of runs.
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

    /// Offers the claims of expired workers again.
    ///
    /// Workers can't renew their leases while the server is down or stalled. Leases therefore count as expired only
    /// after the server has been up for the length of a lease; `SilenceWatch` detects stalls and jumps of the clock.
    /// The worker of a process that is known to be gone is swept at once.
    func sweep() throws {
        let start = clock.uptime
        let workflows = try RunStoreError.translating(name) {
            try sessions.transaction { session -> Set<String> in
                let gone = try self.gone(in: session, since: start)
                // Claims of workers that are already removed: a claim may commit while its worker is being swept.
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
                // Withdrawn steps end as stopped (3), steps with too many interruptions as failed (4), others become
                // free.
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
        // After the commit, so that woken workers see the offers.
        for workflow in workflows { try wakeWorkers(of: workflow, atMost: 1000) }
    }

    /// Finds and locks the expired workers.
    ///
    /// - Parameters:
    ///   - session: The session of the transaction.
    ///   - start: The uptime before the request to the server.
    /// - Returns: The numbers and workflows of the workers.
    /// - Throws: A `ServerFailure`.
    private func gone(in session: Session, since start: Duration) throws -> [Answer.Row] {
        // Valid rows aren't locked: heartbeats would wait, and `wakeWorkers` would skip these workers.
        let ended = try session.run(
            "SELECT id, process FROM stepline.workers WHERE space = $1", [Value(space?.text)]
        ).rows.filter { space?.hasEnded($0.integer(1), in: space?.text) == true }
        let ids = ended.map { Int?.some($0.integer(0)) }
        // `pg_postmaster_start_time`: a lease can't expire before the server has been up for its length.
        let late = try session.run(
            """
            SELECT id, workflow FROM stepline.workers
            WHERE greatest(held_until, pg_postmaster_start_time() + $2 * interval '1 second') <= stepline.clock()
                OR id = ANY($1::int8[])
            FOR UPDATE SKIP LOCKED
            """, [.list(ids), Value(leases.length / .seconds(1))]
        ).rows.map(\.self)
        // The server may have stalled until just before its answer.
        let epoch = try session.run("SELECT extract(epoch FROM stepline.clock())::float8", [])
        let server = Duration.seconds(epoch.first?.double(0) ?? 0)
        let areCounted = silence.withLock {
            $0.areLeasesCounted(leases.length, server: server, asked: start, at: clock.uptime)
        }
        // Processes known to be gone need no lease to expire.
        return areCounted ? late : late.filter { ids.contains($0.integer(0)) }
    }
}
