import SteplineRuns
import SteplineSupport

extension PostgreSQLOpenRun: SharedRun {
    package func leave(toWorkers isLeft: Bool) throws {
        try inTransaction { session in
            try session.run(
                "UPDATE stepline.runs SET left_to_workers = $2::int8 <> 0 WHERE id = $1",
                [Value(number), Value(isLeft ? 1 : 0)])
        }
    }

    package func offers() throws -> [OfferRecord] { try store.offers(of: record.id) }

    package func takeAway(_ steps: [String]?) throws {
        try inTransaction { try takeAway(steps, in: $0) }
    }

    func takeAway(_ steps: [String]?, in session: Session) throws {
        // Select and delete, move the counts of unacknowledged ends to the run, and notify workers of lost claims.
        try session.run(
            """
            WITH meant AS (
                SELECT id FROM stepline.offers WHERE run = $1 AND $2::text[] IS NULL
                UNION ALL
                SELECT found.id FROM unnest($2::text[]) AS named (step) CROSS JOIN LATERAL (
                    SELECT id FROM stepline.offers WHERE run = $1 AND offers.step = named.step LIMIT 1) AS found),
            gone AS (
                DELETE FROM stepline.offers WHERE id = ANY(ARRAY(SELECT id FROM meant))
                RETURNING worker, outcome, finished, failed),
            counts AS (SELECT sum(finished)::int8 AS finished, sum(failed)::int8 AS failed FROM gone),
            counted AS (
                UPDATE stepline.runs SET finished = runs.finished + counts.finished,
                    failed = runs.failed + counts.failed
                FROM counts WHERE id = $1 AND counts.finished IS NOT NULL)
            SELECT pg_notify('stepline_worker_' || worker, '')
            FROM (SELECT DISTINCT worker FROM gone WHERE worker IS NOT NULL AND outcome IS NULL) AS told
            """, [Value(number), steps.map { Value.list($0.map(String?.some)) } ?? .null])
    }

    package func offer(_ offers: [StepOffer]) throws {
        try inTransaction { session in
            // The usual case: none of the steps has an offer yet.
            if try insert(offers, in: session) == offers.count { return }
            // Same attempts remain: the call is a repetition. Other attempts are replaced.
            let replaced = try replaced(by: offers, in: session)
            if replaced.isEmpty { return }
            try takeAway(replaced, in: session)
            _ = try insert(offers, in: session)
        }
        // After the commit: a notification inside the transaction would serialize all transactions that notify.
        try store.wakeWorkers(of: record.id.workflow, atMost: offers.count)
    }

    /// Inserts offers of steps without one; returns their number.
    private func insert(_ offers: [StepOffer], in session: Session) throws -> Int {
        // Fairness: new offers start at the position of the first free offer, or after the run's own last one.
        // A run with steps to run has no ending, so that a worker takes it over if its owner dies.
        try session.run(
            """
            WITH base AS (
                SELECT greatest(turn, (
                    SELECT turn FROM stepline.offers WHERE workflow = $2 AND worker IS NULL AND outcome IS NULL
                    ORDER BY priority DESC, turn, id LIMIT 1)) AS turn
                FROM stepline.runs WHERE id = $1),
            changed AS (
                UPDATE stepline.runs SET turn = base.turn + $14, ending = NULL, reason = NULL, ended = NULL,
                    held_until = stepline.clock() + $15 * interval '1 second'
                FROM base WHERE id = $1)
            INSERT INTO stepline.offers (run, workflow, step, task, version, attempt, token, links, failures,
                interruptions, priority, cache_key, element, turn)
            SELECT $1, $2, step, task, version, attempt, token, links, failures, interruptions, priority,
                cache_key, element, base.turn + place
            FROM base, unnest($3::text[], $4::text[], $5::int8[], $6::int8[], $7::int8[], $8::int8[], $9::int8[],
                $10::int8[], $11::int8[], $12::text[], $13::bytea[]) WITH ORDINALITY AS offered (step, task, version, attempt,
                token, links, failures, interruptions, priority, cache_key, element, place)
            ON CONFLICT (run, step) DO NOTHING
            """,
            [Value(number), Value(record.id.workflow)] + OfferRow.lists(offers)
                + [Value(offers.count), Value(store.leases.length / .seconds(1))]
        ).changes
    }

    /// Returns the steps with offers of other attempts, whose workers must learn of the loss.
    private func replaced(by offers: [StepOffer], in session: Session) throws -> [String] {
        try session.run(
            """
            SELECT found.step FROM unnest($2::text[], $3::int8[]) AS offered (step, attempt)
            CROSS JOIN LATERAL (
                SELECT step FROM stepline.offers
                WHERE run = $1 AND offers.step = offered.step AND offers.attempt <> offered.attempt LIMIT 1) AS found
            """,
            [
                Value(number), .list(offers.map { String?.some($0.step) }),
                .list(offers.map { Int?.some($0.attempt) }),
            ]
        ).rows.map { $0.text(0) }
    }

    package func withdraw(_ steps: [(step: String, attempt: Int)]) throws {
        // Decide by the row at the time of the update: the worker may return the step meanwhile.
        try inTransaction { session in
            try session.run(
                """
                WITH told AS (
                    UPDATE stepline.offers SET to_stop = worker IS NOT NULL, outcome = CASE WHEN worker IS NULL THEN 3 END
                    FROM unnest($2::text[], $3::int8[]) AS meant (step, attempt)
                    WHERE run = $1 AND offers.step = meant.step AND offers.attempt = meant.attempt AND outcome IS NULL
                    RETURNING worker)
                SELECT pg_notify('stepline_worker_' || worker, '')
                FROM (SELECT DISTINCT worker FROM told WHERE worker IS NOT NULL) AS told
                """,
                [
                    Value(number), .list(steps.map { String?.some($0.step) }),
                    .list(steps.map { Int?.some($0.attempt) }),
                ])
        }
    }

    package func ends(acknowledging acknowledged: [AcknowledgedEnd]) throws -> [StepEnd] {
        try RunStoreError.translating(store.name) {
            if !acknowledged.isEmpty { try acknowledge(acknowledged) }
            return try store.sessions.run(
                """
                SELECT id, step, attempt, outcome, code, subject, message, underlying, wait, worker_name, began,
                    interruptions
                FROM stepline.offers WHERE run = $1 AND outcome IS NOT NULL ORDER BY id LIMIT 4096
                """, [Value(number)]
            ).rows.map(OfferRow.end)
        }
    }

    /// Removes acknowledged offers; throws if the ownership is lost, since the next owner may not know these ends.
    // Without waiting for the disk: a crash of the server only repeats the ends. Offers are looked up by key, not
    // by scanning the run's offers.
    private func acknowledge(_ acknowledged: [AcknowledgedEnd]) throws {
        let isOwned =
            try store.sessions.run(
                """
                WITH own AS (
                    SELECT id FROM stepline.runs WHERE id = $1 AND opening = $2 AND held_until IS NOT NULL
                    FOR NO KEY UPDATE),
                ended AS (
                    SELECT found.id FROM own CROSS JOIN unnest($3::int8[], $4::int8[]) AS heard (id, attempt)
                    CROSS JOIN LATERAL (
                        SELECT id FROM stepline.offers
                        WHERE id = heard.id AND run = own.id AND attempt = heard.attempt AND outcome IS NOT NULL
                        LIMIT 1) AS found),
                gone AS (
                    DELETE FROM stepline.offers WHERE id = ANY(ARRAY(SELECT id FROM ended))
                    RETURNING finished, failed)
                UPDATE stepline.runs SET
                    finished = runs.finished + coalesce((SELECT sum(finished) FROM gone), 0)::int8,
                    failed = runs.failed + coalesce((SELECT sum(failed) FROM gone), 0)::int8,
                    held_until = stepline.clock() + $5 * interval '1 second'
                FROM own WHERE runs.id = own.id
                RETURNING set_config('synchronous_commit', 'off', true)
                """,
                [
                    Value(number), Value(opening), .list(acknowledged.map { Int?.some($0.id) }),
                    .list(acknowledged.map { Int?.some($0.attempt) }),
                    Value(store.leases.length / .seconds(1)),
                ]
            ).changes > 0
        guard isOwned else { throw lost }
    }

    package func sweep() throws { try store.sweep() }

    package func onNews(_ call: @escaping @Sendable (RunNews) -> Void) -> Subscription {
        let listener = Listener(
            store.sessions.address, lease: store.leases.length, clock: store.clock,
            channel: "stepline_run_\(number)"
        ) { payload in
            // Nil or unknown: notifications may have been missed, so check for both kinds.
            guard let news = payload.flatMap(RunNews.init) else {
                call(.ends)
                return call(.signal)
            }
            call(news)
        }
        return Subscription { listener.stop() }
    }
}
