import Foundation
import SteplineSupport

/// A run of a store in a file in the hands of its owner.
final class SQLiteOpenRun: OpenRun {
    let record: RunRecord
    private let number: Int
    private let store: SQLiteRunStore
    private let isOpen = Locked(true)

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

    func missingResults() throws -> [String] {
        try store.read { database in
            let row = try database.statement("SELECT name, result FROM steps WHERE run = ?1 AND size > ?2")
            defer { row.reset() }
            try row.bind(number, at: 1)
            try row.bind(StoredResult.largestInline, at: 2)
            var names: [String] = []
            while try row.step() {
                if !store.blobs.has(Array(row.data(1) ?? Data())) { names.append(row.text(0)) }
            }
            return names
        }
    }

    func write(_ changes: [StepChange]) throws -> [Int] {
        let joined = changes.joined()
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
                        if case .beside(let data, let sum) = result { try name(sum, data, in: database) }
                    } else {
                        refused.append(place.place)
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
        close()
    }

    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { store.owners.release(number) }
    }

    /// Throws an error if the run has come into other hands; whether it had ended.
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

    /// Keeps what the changes mean for the run: its numbers, and that it goes on.
    private func count(_ steps: StepWriter, hadEnded: Bool, in database: Database) throws {
        let goesOn = hadEnded && steps.taken > 0
        guard goesOn || steps.finished != 0 || steps.failed != 0 else { return }
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

    /// Writes large results beside the store, before the transaction: others needn't wait for the disk.
    private func keepLargeResults(of changes: [StepChange]) throws -> [Int: StoredResult] {
        var results: [Int: StoredResult] = [:]
        for place in changes.indices {
            guard case .finished(let data?) = changes[place].kind, data.count > StoredResult.largestInline
            else { continue }
            let result = StoredResult(data)
            results[place] = result
            guard case .beside(_, let sum) = result else { continue }
            // One whose temporary file was swept away meanwhile is written once more when it is named.
            do { try store.blobs.keep(data, as: sum) } catch let failure as SystemFailure
                where failure.number == ENOENT
            {}
        }
        return results
    }

    /// Names a large result as one of this run's.
    ///
    /// From here to the end of the transaction nobody can sweep it away.
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
