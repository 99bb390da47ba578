public import Foundation

extension SQLiteRunStore {
    /// Removes a run with all that is kept of it; false if there is none.
    public func forget(_ id: RunID) throws -> Bool {
        try RunStoreError.translating(name) {
            guard let found = try connections.read({ try RunRow.find(id, in: $0) }) else { return false }
            guard try remove(found.number) else {
                throw RunStoreError.inProgress(id, store: name, owner: found.record.owner)
            }
            let sums = try removeRows(of: found.number)
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
            let count = try numbers.count { try remove($0, endedBefore: date) }
            for run in try removedRuns() { _ = try removeRows(of: run) }
            // Also what a process has left that ended between a result and the row that would have named it.
            try connections.write { database in try blobs.removeAll { try isNamed($0, in: database) } }
            try giveSpaceBack()
            return count
        }
    }

    /// Removes a run; false if it has a living owner, or hasn't ended in time after all.
    ///
    /// Its rows go afterwards, in transactions of their own: other processes write between them.
    private func remove(_ run: Int, endedBefore date: Date? = nil) throws -> Bool {
        try connections.write { database in
            // Nobody can open it before the transaction ends, and then it is gone, or free again.
            guard try owners.take(run) else { return false }
            defer { owners.release(run) }
            let row = try database.statement(
                "DELETE FROM runs WHERE id = ?1 AND (?2 IS NULL OR ended < ?2)")
            try row.bind(run, at: 1)
            try row.bind(date, at: 2)
            try row.run()
            return database.changes == 1 || date == nil
        }
    }

    /// The runs that were removed, and whose rows weren't: by this call, or by a process that ended in the middle.
    private func removedRuns() throws -> [Int] {
        try connections.read { database in
            let row = try database.statement(
                """
                WITH RECURSIVE found (run) AS (
                    SELECT min(run) FROM steps UNION ALL
                    SELECT (SELECT min(run) FROM steps WHERE steps.run > found.run) FROM found
                    WHERE run IS NOT NULL),
                known (run) AS (
                    SELECT run FROM found UNION SELECT run FROM history UNION SELECT run FROM signals
                    UNION SELECT run FROM inputs UNION SELECT run FROM blobs)
                SELECT run FROM known WHERE run IS NOT NULL AND run NOT IN (SELECT id FROM runs)
                """)
            defer { row.reset() }
            var runs: [Int] = []
            while try row.step() { runs.append(row.integer(0)) }
            return runs
        }
    }

    /// Removes the rows of a run that is removed, some at a time; returns the large results that it had.
    private func removeRows(of run: Int) throws -> [[UInt8]] {
        let sums = try connections.read { try blobSums(of: run, in: $0) }
        let statements: [StaticString] = [
            """
            DELETE FROM steps WHERE run = ?1 AND name IN (SELECT name FROM steps WHERE run = ?1 LIMIT 2000)
            """,
            "DELETE FROM history WHERE id IN (SELECT id FROM history WHERE run = ?1 LIMIT 2000)",
            """
            DELETE FROM cached WHERE run = ?1 AND name IN (SELECT name FROM cached WHERE run = ?1 LIMIT 2000)
            """,
            "DELETE FROM signals WHERE run = ?1",
            "DELETE FROM inputs WHERE run = ?1",
            "DELETE FROM blobs WHERE run = ?1",
        ]
        for sql in statements {
            var isDone = false
            while !isDone {
                isDone = try connections.write { database in
                    let statement = try database.statement(sql)
                    try statement.bind(run, at: 1)
                    try statement.run()
                    return database.changes == 0
                }
                if !isDone { letOthersWrite() }
            }
        }
        return sums
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

    /// SQLite has no line: a process that waits tries again from time to time, and finds the file free in a pause alone.
    private func letOthersWrite() { Thread.sleep(forTimeInterval: 0.002) }

    private func giveSpaceBack() throws {
        var left = Int.max
        while true {
            var free = 0
            try connections.maintain { database in
                // In a transaction for each four megabytes: others write between them.
                try database.run("PRAGMA incremental_vacuum(1000)")
                free = try database.integer("PRAGMA freelist_count")
            }
            if free == 0 || free >= left { break }
            left = free
            letOthersWrite()
        }
        try connections.maintain { database in
            // The file itself shrinks with this; where somebody reads meanwhile, with a later one.
            try? database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }
}
