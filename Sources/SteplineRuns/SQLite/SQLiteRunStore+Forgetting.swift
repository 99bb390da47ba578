public import Foundation

extension SQLiteRunStore {
    /// Removes a run with all that is kept of it; false if there is none.
    public func forget(_ id: RunID) throws -> Bool {
        try RunStoreError.translating(name) {
            guard let found = try connections.read({ try RunRow.find(id, in: $0) }) else { return false }
            var sums: [[UInt8]] = []
            guard try remove(found.number, sums: &sums) else {
                throw RunStoreError.inProgress(id, store: name, owner: found.record.owner)
            }
            try connections.write { database in
                for sum in sums where try !isNamed(sum, in: database) { blobs.remove(sum) }
            }
            try giveSpaceBack()
            return true
        }
    }

    /// Removes all runs that have ended before that date and gives the space back; returns how many.
    public func forget(endedBefore date: Date) throws -> Int {
        try RunStoreError.translating(name) {
            let numbers = try connections.read { database in
                let row = try database.statement(
                    "SELECT id FROM runs WHERE ending IS NOT NULL AND ended < ?1")
                defer { row.reset() }
                try row.bind(date, at: 1)
                var numbers: [Int] = []
                while try row.step() { numbers.append(row.integer(0)) }
                return numbers
            }
            var sums: [[UInt8]] = []
            let count = try numbers.count { try remove($0, endedBefore: date, sums: &sums) }
            // Also what a process has left that ended between a result and the row that would have named it.
            try connections.write { database in try blobs.removeAll { try isNamed($0, in: database) } }
            try giveSpaceBack()
            return count
        }
    }

    /// Removes the rows of a run; false if it has a living owner, or hasn't ended in time after all.
    private func remove(_ run: Int, endedBefore date: Date? = nil, sums: inout [[UInt8]]) throws -> Bool {
        try connections.write { database in
            // Nobody can open it before the transaction ends, and then it is gone, or free again.
            guard try owners.take(run) else { return false }
            defer { owners.release(run) }
            let row = try database.statement("DELETE FROM runs WHERE id = ?1 AND (?2 IS NULL OR ended < ?2)")
            try row.bind(run, at: 1)
            try row.bind(date, at: 2)
            try row.run()
            guard database.changes == 1 else { return date == nil }
            sums += try blobSums(of: run, in: database)
            for statement in [
                try database.statement("DELETE FROM steps WHERE run = ?1"),
                try database.statement("DELETE FROM history WHERE run = ?1"),
                try database.statement("DELETE FROM signals WHERE run = ?1"),
                try database.statement("DELETE FROM inputs WHERE run = ?1"),
                try database.statement("DELETE FROM cached WHERE run = ?1"),
                try database.statement("DELETE FROM blobs WHERE run = ?1"),
            ] {
                try statement.bind(run, at: 1)
                try statement.run()
            }
            return true
        }
    }

    private func blobSums(of run: Int, in database: Database) throws -> [[UInt8]] {
        let row = try database.statement("SELECT sum FROM blobs WHERE run = ?1")
        defer { row.reset() }
        try row.bind(run, at: 1)
        var sums: [[UInt8]] = []
        while try row.step() { sums.append(Array(row.data(0) ?? Data())) }
        return sums
    }

    private func isNamed(_ sum: [UInt8], in database: Database) throws -> Bool {
        let row = try database.statement("SELECT 1 FROM blobs WHERE sum = ?1")
        defer { row.reset() }
        try sum.withUnsafeBytes { try row.bind($0, at: 1) }
        return try row.step()
    }

    private func giveSpaceBack() throws {
        try connections.maintain { database in
            try database.run("PRAGMA incremental_vacuum")
            // The file itself shrinks with this; where somebody reads meanwhile, with a later one.
            try? database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}
