import Foundation
import SteplineSupport

/// A run of a SQLite store, held by its owner.
///
/// Each write is one transaction that first checks the owner's token. Large results are written to files before
/// the transaction, so that other writers don't wait for the disk.
final class SQLiteOpenRun: OpenRun {
    let record: RunRecord
    private let number: Int
    private let store: SQLiteRunStore
    private let isOpen = Locked(true)  // false after `end` or `close`

    init(row: RunRow, store: SQLiteRunStore) {
        record = row.record
        number = row.number
        self.store = store
    }

    deinit { close() }

    func forEachStep(_ body: (StepRecord) throws -> Void) throws {
        try store.forEachStep(ofRun: number, body)
    }

    func result(of step: String) throws -> Data? { try store.result(of: step, ofRun: number) }

    func write(_ changes: [StepChange]) throws -> [Int] {
        // A begin and an end in the same batch become one row update.
        let joined = changes.joined()
        // Hash and write large results before the transaction.
        return try RunStoreError.translating(store.name) {
            let large = try keepLargeResults(of: changes)
            return try store.connections.write { database in
                let hadEnded = try checkOwner(in: database)
                var steps = StepWriter(database, run: number)
                var refused: [Int] = []
                for place in joined {
                    let change = changes[place]
                    let result = large[place.end ?? place.place] ?? change.smallResult
                    if try steps.take(change, result: result) {
                        // Register the file in the same transaction as the row that refers to it.
                        if case .beside(let data, let sum) = result { try name(sum, data, in: database) }
                    } else {
                        refused.append(place.place)
                        // A refused begin refuses its end too.
                        if let end = place.end { refused.append(end) }
                    }
                }
                try count(steps, hadEnded: hadEnded, in: database)
                return refused.sorted()
            }
        }
    }

    func end(_ ending: RunEnding, at now: Date) throws {
        try RunStoreError.translating(store.name) {
            try store.connections.write { database in
                _ = try checkOwner(in: database)
                let row = try database.statement(
                    "UPDATE runs SET ending = ?2, reason = ?3, ended = ?4 WHERE id = ?1")
                try row.bind(number, at: 1)
                try row.bind(ending.number, at: 2)
                try row.bind(ending.reason, at: 3)
                try row.bind(now, at: 4)
                try row.run()
                try SignalRow.removeCancellation(of: number, in: database)
            }
        }
        // Release the lock after the commit: another process may open the run at once.
        close()
    }

    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { store.owners.release(number) }
    }

    /// Checks the ownership and returns whether the run has an ending; throws if the ownership is lost.
    private func checkOwner(in database: Database) throws -> Bool {
        let row = try database.statement("SELECT ending FROM runs WHERE id = ?1 AND token = ?2")
        defer { row.reset() }
        try row.bind(number, at: 1)
        try row.bind(record.owner.token, at: 2)
        guard isOpen.withLock({ $0 }), try row.step() else {
            throw RunStoreError.ownershipLost(record.id, store: store.name)
        }
        return !row.isNull(0)
    }

    /// Updates the run's counters and clears its ending if a change was accepted.
    private func count(_ steps: StepWriter, hadEnded: Bool, in database: Database) throws {
        // An accepted change reopens an ended run.
        let continues = hadEnded && steps.taken > 0
        // Begins, the most frequent changes, need no update of the run.
        guard continues || steps.finished != 0 || steps.failed != 0 else { return }
        let row = try database.statement(
            """
            UPDATE runs SET finished = finished + ?2, failed = failed + ?3,
                ending = NULL, reason = NULL, ended = NULL
            WHERE id = ?1
            """)
        try row.bind(number, at: 1)
        try row.bind(steps.finished, at: 2)
        try row.bind(steps.failed, at: 3)
        try row.run()
    }

    // MARK: Large results

    /// Writes large results to files before the transaction, so that other writers don't wait for the disk.
    private func keepLargeResults(of changes: [StepChange]) throws -> [Int: StoredResult] {
        var results: [Int: StoredResult] = [:]
        for place in changes.indices {
            guard case .finished(let data?) = changes[place].kind, data.count > StoredResult.largestInline
            else { continue }
            let result = StoredResult(data)
            results[place] = result
            guard case .beside(_, let sum) = result else { continue }
            // `forget` of another process may delete the temporary file meanwhile. `name` then writes the result again.
            do { try store.blobs.keep(data, as: sum) } catch let failure as SystemFailure
                where failure.number == ENOENT
            {}
        }
        return results
    }

    /// Registers a large result as part of this run, writing the file again if it is missing.
    ///
    /// The sweep of unregistered files runs in a write transaction. It can't run between this call and the commit.
    private func name(_ sum: [UInt8], _ data: Data, in database: Database) throws {
        if !store.blobs.has(sum) { try store.blobs.keep(data, as: sum) }
        let row = try database.statement("INSERT OR IGNORE INTO blobs VALUES (?1, ?2)")
        try row.bind(number, at: 1)
        try sum.withUnsafeBytes { try row.bind($0, at: 2) }
        try row.run()
    }
}

extension StepChange {
    fileprivate var smallResult: StoredResult? {
        if case .finished(let data?) = kind { StoredResult(data) } else { nil }
    }
}
