import Foundation
import SteplineRuns
import SteplineSupport

/// A worker's registration at a server.
///
/// A worker becomes idle in three steps: claim, mark itself idle, claim again. A step offered between the first two is
/// found by the second claim. A step offered later finds the worker marked as idle and notifies it. No step is missed.
final class PostgreSQLMembership: WorkerMembership {
    /// A version of a task in one run.
    private struct Kind: Hashable {
        let run: Int
        let task: String
        let version: Int

        init(_ claim: ClaimedStep) {
            (run, task, version) = (claim.runNumber, claim.offer.task, claim.offer.version)
        }

        /// The text in the worker's row.
        var text: String { "\(task) version \(version)" }
    }

    let number: Int
    private let profile: WorkerProfile
    private let store: PostgreSQLRunStore
    /// The kinds of steps that the worker has refused and can't claim.
    private let unknown = Locked(Set<Kind>())

    init(number: Int, profile: WorkerProfile, store: PostgreSQLRunStore) {
        self.number = number
        self.profile = profile
        self.store = store
    }

    var lease: Duration { store.leases.length }

    private var name: String { WorkerRecord.name(profile, number) }

    // MARK: Taking

    func claim(_ count: Int, risky: Bool) throws -> [ClaimedStep] {
        let claims = try claimOnce(count, risky: risky)
        // After an empty risky claim the worker claims other steps. That call marks it idle.
        guard claims.isEmpty, !risky else { return claims }
        // Later offers notify this worker once it is marked idle. Earlier ones are found by claiming once more.
        let isNew = try RunStoreError.translating(store.name) {
            try store.sessions.run(
                """
                UPDATE stepline.workers SET is_idle = true WHERE id = $1 AND NOT is_idle
                RETURNING set_config('synchronous_commit', 'off', true)
                """, [Value(number)]
            ).changes > 0
        }
        // Already idle: no offer was missed.
        guard isNew else { return claims }
        let late = try claimOnce(count, risky: false)
        if late.isEmpty { try lookForRisky() }
        return late
    }

    /// Notifies this worker itself of queued steps that must run alone, which its claim has left out.
    private func lookForRisky() throws {
        _ = try RunStoreError.translating(store.name) {
            try store.sessions.run(
                """
                SELECT pg_notify('stepline_worker_' || $1::int8, ''), set_config('synchronous_commit', 'off', true)
                WHERE EXISTS (
                    SELECT FROM stepline.offers
                    WHERE workflow = $2 AND worker IS NULL AND outcome IS NULL AND interruptions > 1)
                """, [Value(number), Value(profile.workflow)])
        }
    }

    // The free offers are found through the index `offers_waiting` and updated by key, however many there are. With a
    // join, the server would sort or scan all of them.
    private func claimOnce(_ count: Int, risky: Bool) throws -> [ClaimedStep] {
        let unknown = unknown.withLock { Array($0) }
        let values: [Value] = [
            Value(profile.workflow), Value(risky ? min(count, 1) : count), Value(number), Value(name),
            Value(Date?.some(store.clock.now)), Value(risky ? 1 : 0),
            .list(unknown.map { Int?.some($0.run) }), .list(unknown.map { String?.some($0.task) }),
            .list(unknown.map { Int?.some($0.version) }),
        ]
        return try RunStoreError.translating(store.name) {
            // SKIP LOCKED: workers that claim at the same time get different offers.
            try store.sessions.run(
                """
                WITH chosen AS (
                    SELECT id FROM stepline.offers
                    WHERE workflow = $1 AND worker IS NULL AND outcome IS NULL AND (interruptions > 1) = ($6::int8 <> 0)
                        AND EXISTS (
                            SELECT FROM stepline.workers WHERE workers.id = $3 AND held_until > stepline.clock())
                        AND (cardinality($7::int8[]) = 0 OR NOT EXISTS (
                            SELECT FROM unnest($7::int8[], $8::text[], $9::int8[]) AS unknown (run, task, version)
                            WHERE unknown.run = offers.run AND unknown.task = offers.task
                                AND unknown.version = offers.version))
                    ORDER BY priority DESC, turn, id LIMIT $2 FOR UPDATE SKIP LOCKED),
                busy AS (
                    UPDATE stepline.workers SET is_idle = false
                    WHERE id = $3 AND is_idle AND EXISTS (SELECT FROM chosen))
                UPDATE stepline.offers SET worker = $3, worker_name = $4, began = $5
                WHERE offers.id = ANY(ARRAY(SELECT id FROM chosen))
                RETURNING offers.id, run, workflow, (SELECT key FROM stepline.runs WHERE runs.id = offers.run),
                    step, task, version, attempt, token, links, failures, interruptions, priority, cache_key,
                    element
                """, values)
        }.rows.map { row in
            ClaimedStep(
                id: row.integer(0), run: RunID(row.text(2), key: row.text(3)), runNumber: row.integer(1),
                offer: OfferRow.offer(row, from: 4))
        }
    }

    // MARK: Giving back

    func end(_ steps: [WorkedStep]) throws -> [Int] {
        let (refused, runs) = try RunStoreError.translating(store.name) {
            try store.sessions.transaction { try self.end(steps, in: $0) }
        }
        // Notify after the commit, so that owners find the ends when they look.
        if !runs.isEmpty { try store.wakeOwners(of: runs, .ends) }
        return refused
    }

    private func end(_ steps: [WorkedStep], in session: Session) throws -> (refused: [Int], runs: Set<Int>) {
        let held = Set(
            try session.run(
                // Lock the claims in order of their keys against sweeps and other ends, so that transactions can't
                // deadlock.
                """
                SELECT id FROM stepline.offers WHERE id = ANY($1::int8[]) AND worker = $2 AND outcome IS NULL
                ORDER BY id FOR UPDATE
                """, [.list(steps.map { Int?.some($0.claim.id) }), Value(number)]
            ).rows.map { $0.integer(0) })
        // A sweep has freed the claim after the lease's expiry, or the owner has removed the offer. An expired lease
        // alone refuses nothing.
        var refused = steps.indices.filter { !held.contains(steps[$0].claim.id) }
        var ends: [End] = []
        let byRun = Dictionary(grouping: steps.indices.filter { held.contains(steps[$0].claim.id) }) {
            steps[$0].claim.runNumber
        }
        for (run, places) in byRun {
            // The ends that write a result, in order.
            let keeping = places.filter { steps[$0].change(by: name) != nil }
            let changes = keeping.compactMap { steps[$0].change(by: name) }
            var late: Set<Int> = []
            var counts: [String: StepCounts] = [:]
            if !changes.isEmpty {
                let batch = StepBatch(
                    changes, to: try StepBatch.known(Set(changes.map(\.step)), of: run, in: session))
                try batch.write(run: run, in: session)
                counts = batch.counts
                // Refused: the step has a later attempt.
                late = Set(batch.refused.map { keeping[$0] })
                refused += late
            }
            ends += places.map { place in
                let claim = steps[place].claim
                return End(
                    id: claim.id, outcome: late.contains(place) ? .stopped : steps[place].outcome,
                    began: steps[place].began, counts: counts[claim.offer.step] ?? StepCounts())
            }
        }
        try write(ends, in: session)
        return (refused, Set(byRun.keys))
    }

    /// The end of a step, for the run's owner.
    ///
    /// The change of the run's counters is stored with the offer and added to the run on acknowledgement. Workers
    /// therefore don't wait for the run's row.
    private struct End {
        let id: Int
        let outcome: StepOutcome
        let began: Date
        let counts: StepCounts
    }

    // Replaces the begin recorded by the claim: a prefetched step starts later.
    private func write(_ ends: [End], in session: Session) throws {
        guard !ends.isEmpty else { return }
        func text(_ text: (StepFailure) -> String?) -> Value {
            .list(ends.map { $0.outcome.failure.flatMap(text)?.withoutZeros })
        }
        try session.run(
            """
            UPDATE stepline.offers SET outcome = ended.outcome, code = ended.code, subject = ended.subject,
                message = ended.message, underlying = ended.underlying, wait = ended.wait, began = ended.began,
                finished = ended.finished, failed = ended.failed
            FROM unnest($1::int8[], $2::int8[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[],
                $8::float8[], $9::int8[], $10::int8[])
                AS ended (id, outcome, code, subject, message, underlying, wait, began, finished, failed)
            WHERE offers.id = ended.id
            """,
            [
                .list(ends.map { Int?.some($0.id) }), .list(ends.map { Int?.some($0.outcome.number) }),
                text(\.code), text(\.subject), text(\.message), text(\.underlying),
                .list(ends.map(\.outcome.wait)), .list(ends.map { Date?.some($0.began) }),
                .list(ends.map { Int?.some($0.counts.finished) }),
                .list(ends.map { Int?.some($0.counts.failed) }),
            ])
    }

    func handBack(_ claims: [Int]) throws {
        try RunStoreError.translating(store.name) {
            try store.sessions.transaction { try self.handBack(claims, in: $0) }
        }
        // The returned steps are free again: notify idle workers.
        try store.wakeWorkers(of: profile.workflow, atMost: claims.count)
    }

    private func handBack(_ claims: [Int]?, in session: Session) throws {
        try session.run(
            // A withdrawn step ends as stopped (3) instead of becoming free. NULL hands back all claims.
            """
            UPDATE stepline.offers SET outcome = CASE WHEN to_stop THEN 3 END,
                worker = CASE WHEN to_stop THEN worker END, worker_name = CASE WHEN to_stop THEN worker_name END,
                began = CASE WHEN to_stop THEN began END
            WHERE worker = $1 AND outcome IS NULL AND ($2::int8[] IS NULL OR id = ANY($2))
            """, [Value(number), claims.map { Value.list($0.map(Int?.some)) } ?? .null])
    }

    func refuse(_ claim: ClaimedStep) throws {
        let kind = Kind(claim)
        // Locally first: the next claim must exclude these tasks.
        unknown.withLock { _ = $0.insert(kind) }
        try RunStoreError.translating(store.name) {
            try store.sessions.transaction { session in
                try self.handBack([claim.id], in: session)
                try session.run(
                    """
                    UPDATE stepline.workers SET unknown = array_append(unknown, $2)
                    WHERE id = $1 AND NOT $2 = ANY(unknown)
                    """, [Value(number), Value(kind.text)])
            }
        }
        try store.wakeWorkers(of: profile.workflow, atMost: 1)
    }

    func accept(_ claim: ClaimedStep) throws {
        let kind = Kind(claim)
        let isStillRefused = unknown.withLock { unknown in
            unknown.remove(kind)
            return unknown.contains { $0.text == kind.text }
        }
        // The worker still refuses the task in another run, which has the same text.
        if isStillRefused { return }
        _ = try RunStoreError.translating(store.name) {
            try store.sessions.run(
                "UPDATE stepline.workers SET unknown = array_remove(unknown, $2) WHERE id = $1",
                [Value(number), Value(kind.text)])
        }
    }

    // MARK: Being there

    // Without waiting for the disk: a crash of the server only shortens the lease.
    // An expired lease becomes valid again. No row: a sweep has removed the worker and freed its claims.
    func beat(for lease: Duration) throws -> WorkerBeat? {
        let rows = try RunStoreError.translating(store.name) {
            try store.sessions.run(
                """
                WITH me AS (
                    UPDATE stepline.workers SET held_until = stepline.clock() + $2 * interval '1 second'
                    WHERE id = $1 RETURNING id, set_config('synchronous_commit', 'off', true))
                SELECT offers.id, offers.to_stop, EXISTS (
                    SELECT FROM stepline.offers WHERE workflow = $3 AND worker IS NULL AND outcome IS NULL
                        AND interruptions > 1),
                    EXISTS (
                        SELECT FROM stepline.offers WHERE workflow = $3 AND worker IS NULL AND outcome IS NULL),
                    EXISTS (SELECT FROM stepline.runs WHERE workflow = $3 AND left_to_workers AND ending IS NULL)
                FROM me LEFT JOIN stepline.offers ON offers.worker = me.id AND offers.outcome IS NULL
                """, [Value(number), Value(lease / .seconds(1)), Value(profile.workflow)])
        }
        guard let first = rows.first else { return nil }
        // A worker without claims gets one row of nulls.
        let held = rows.rows.filter { !$0.isNull(0) }
        return WorkerBeat(
            held: Set(held.map { $0.integer(0) }),
            stops: Set(held.filter { $0.truth(1) }.map { $0.integer(0) }), areRiskyWaiting: first.truth(2),
            areWaiting: first.truth(3), areRunsLeft: first.truth(4))
    }

    func onNews(_ call: @escaping @Sendable () -> Void) -> Subscription {
        let listener = Listener(
            store.sessions.address, lease: lease, clock: store.clock, channel: "stepline_worker_\(number)"
        ) { _ in call() }
        return Subscription { listener.stop() }
    }

    func leave() {
        // If the server is unreachable, the lease expires by itself.
        do {
            try store.sessions.transaction(patience: .seconds(1)) { session in
                try self.handBack(nil, in: session)
                try session.run("DELETE FROM stepline.workers WHERE id = $1", [Value(self.number)])
            }
        } catch { return }
        try? store.wakeWorkers(of: profile.workflow, atMost: profile.slots)
    }
}
