import Foundation
import SteplineRuns
import SteplineSupport

/// A run on a server, held by its owner.
///
/// `opening` identifies this ownership: each write locks the run's row and compares the number. A write after a
/// takeover throws `ownershipLost`. An expired lease without a takeover refuses nothing: each write renews the lease.
///
/// Transactions may execute twice, since `Sessions` repeats them after a lost connection. A random batch number in the
/// run's row detects a batch that is already committed.
final class PostgreSQLOpenRun: OpenRun {
    let record: RunRecord
    /// The run's key in the tables; in `write` and `note` a local `number` is that of a batch.
    let number: Int
    /// The random number of this opening; all writes of this owner carry the number.
    let opening: UInt64
    let store: PostgreSQLRunStore
    private let isOpen = Locked(true)

    init(_ record: RunRecord, number: Int, opening: UInt64, store: PostgreSQLRunStore) {
        self.record = record
        self.number = number
        self.opening = opening
        self.store = store
        store.leases.add(number, opening)
    }

    deinit { close() }

    func forEachStep(_ body: (StepRecord) throws -> Void) throws {
        try store.forEachStep(ofRun: number, isOwned: true, body)
    }

    func result(of step: String) throws -> Data? { try store.result(of: step, ofRun: number) }

    func write(_ changes: [StepChange]) throws -> [Int] {
        // Detects that a repeated transaction was already committed.
        let number = UInt64.random(in: 1...UInt64.max)
        return try RunStoreError.translating(store.name) {
            try store.sessions.transaction { session in
                let owned = try owned(in: session)
                // Already committed: the answer was lost. Return the stored result of that batch.
                if !owned.isNull(0), owned.unsigned(0) == number { return owned.integers(1) }
                if changes.isEmpty { return [] }
                let names = Set(changes.map(\.step))
                // Locks the rows of these steps against writes of workers.
                let known = try StepBatch.known(names, of: self.number, in: session)
                let batch = StepBatch(changes, to: known)
                try batch.write(run: self.number, in: session)
                try note(batch, number, in: session)
                return batch.refused
            }
        }
    }

    func end(_ ending: RunEnding, at now: Date) throws {
        guard isOpen.withLock({ $0 }) else { throw lost }
        try RunStoreError.translating(store.name) {
            try store.sessions.transaction { session in
                // NO KEY UPDATE: inserts into other tables that refer to the run aren't blocked.
                let row = try session.run(
                    """
                    SELECT held_until IS NULL FROM stepline.runs WHERE id = $1 AND opening = $2
                    FOR NO KEY UPDATE
                    """, [Value(self.number), Value(opening)])
                guard let row = row.first else { throw lost }
                // The number is this opening's and the run isn't held: this end was committed, and only the answer was
                // lost.
                if row.truth(0) { return }
                try session.run(
                    """
                    UPDATE stepline.runs SET ending = $2, reason = $3, ended = $4, held_until = NULL
                    WHERE id = $1
                    """,
                    [
                        Value(self.number), Value(ending.number), Value(ending.reason?.withoutZeros),
                        Value(Date?.some(now)),
                    ])
                // Remove remaining offers: a worker may have ended some without an acknowledgement by an owner.
                try takeAway(nil, in: session)
                try SignalRow.removeCancellation(of: self.number, in: session)
            }
        }
        close()
    }

    func close() {
        // Both `end` and `deinit` call `close`: only the first call releases the lease.
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        store.leases.remove(number, opening)
        // If the server is unreachable, the lease expires by itself.
        _ = try? store.sessions.run(
            "UPDATE stepline.runs SET held_until = NULL WHERE id = $1 AND opening = $2",
            [Value(number), Value(opening)], patience: .seconds(1))
    }

    var lost: RunStoreError { .ownershipLost(record.id, store: store.name) }

    /// Runs a closure in a transaction that holds the ownership.
    func inTransaction(_ body: (Session) throws -> Void) throws {
        try RunStoreError.translating(store.name) {
            try store.sessions.transaction { session in
                _ = try owned(in: session)
                try body(session)
            }
        }
    }

    /// Locks the run's row and returns its last batch number with the refused indices; throws if the ownership is lost.
    ///
    /// The lock prevents a takeover until the transaction ends.
    private func owned(in session: Session) throws -> Answer.Row {
        let row = try session.run(
            """
            SELECT batch, refused FROM stepline.runs WHERE id = $1 AND opening = $2 AND held_until IS NOT NULL
            FOR NO KEY UPDATE
            """, [Value(number), Value(opening)])
        // Checked after the query: another thread may have closed the run in the meantime.
        guard isOpen.withLock({ $0 }), let row = row.first else { throw lost }
        return row
    }

    /// Updates the run's row after a batch: counters, ending, batch number and lease.
    private func note(_ batch: StepBatch, _ number: UInt64, in session: Session) throws {
        let sum = batch.sum
        // $6 is 1 if a change was accepted: the ending is cleared then.
        try session.run(
            """
            UPDATE stepline.runs SET finished = finished + $2, failed = failed + $3, batch = $4, refused = $5,
                ending = CASE WHEN $6::int8 = 0 THEN ending END, reason = CASE WHEN $6::int8 = 0 THEN reason END,
                ended = CASE WHEN $6::int8 = 0 THEN ended END,
                held_until = stepline.clock() + $7 * interval '1 second'
            WHERE id = $1
            """,
            [
                Value(self.number), Value(sum.finished), Value(sum.failed), Value(number),
                .list(batch.refused.map(Int?.some)), Value(batch.hasTaken ? 1 : 0),
                Value(store.leases.length / .seconds(1)),
            ])
    }
}
