import Foundation
import SteplineRuns
import SteplineSupport

/// A run of a store on a server in the hands of its owner.
final class PostgreSQLOpenRun: OpenRun {
    let record: RunRecord
    let number: Int
    /// What was drawn when it was opened: what carries it comes from this owner.
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
        // By it a transaction that is done again knows that it was done already.
        let number = UInt64.random(in: 1...UInt64.max)
        return try RunStoreError.translating(store.name) {
            try store.sessions.transaction { session in
                let owned = try owned(in: session)
                if !owned.isNull(0), owned.unsigned(0) == number { return owned.integers(1) }
                if changes.isEmpty { return [] }
                let names = Set(changes.map(\.step))
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
                let row = try session.run(
                    """
                    SELECT held_until IS NULL FROM stepline.runs WHERE id = $1 AND opening = $2
                    FOR NO KEY UPDATE
                    """, [Value(self.number), Value(opening)])
                guard let row = row.first else { throw lost }
                // Nobody but this opening gives it up: its end was kept, and the word of that was lost.
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
                // A worker may have kept a result of which this owner, or one before it, hasn't heard.
                try takeAway(nil, in: session)
                try SignalRow.removeCancellation(of: self.number, in: session)
            }
        }
        close()
    }

    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        guard wasOpen else { return }
        store.leases.remove(number, opening)
        // A server that is away is told nothing: the lease ends by itself.
        _ = try? store.sessions.run(
            "UPDATE stepline.runs SET held_until = NULL WHERE id = $1 AND opening = $2",
            [Value(number), Value(opening)], patience: .seconds(1))
    }

    var lost: RunStoreError { .ownershipLost(record.id, store: store.name) }

    /// Does something in one transaction, in which nobody else takes the run over.
    func inTransaction(_ body: (Session) throws -> Void) throws {
        try RunStoreError.translating(store.name) {
            try store.sessions.transaction { session in
                _ = try owned(in: session)
                try body(session)
            }
        }
    }

    /// Throws an error if the run has come into other hands; else the number of its last batch, and what was refused of it.
    ///
    /// Until the transaction ends, nobody else takes the run over.
    private func owned(in session: Session) throws -> Answer.Row {
        let row = try session.run(
            """
            SELECT batch, refused FROM stepline.runs WHERE id = $1 AND opening = $2 AND held_until IS NOT NULL
            FOR NO KEY UPDATE
            """, [Value(number), Value(opening)])
        guard isOpen.withLock({ $0 }), let row = row.first else { throw lost }
        return row
    }

    /// Keeps what the changes mean for the run: its numbers, that it goes on, and that they were kept.
    private func note(_ batch: StepBatch, _ number: UInt64, in session: Session) throws {
        let sum = batch.sum
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
