public import Foundation

extension SQLiteRunStore {
    /// The number of files that are looked up in one transaction.
    private static let batch = 500

    /// Removes a run and all its data; returns false if it doesn't exist.
    ///
    /// - Throws: A ``RunStoreError``, with the code `inProgress` if the run has a living owner.
    public func forget(_ id: RunID) throws -> Bool {
        try RunStoreError.translating(name) {
            guard let found = try connections.read({ try RunRow.find(id, in: $0) }) else { return false }
            guard try remove(found.number) else {
                // `remove` returns false without a date only if the run has an owner.
                throw RunStoreError.inProgress(id, store: name, owner: found.record.owner)
            }
            // The rows go first: after this no row refers to the files.
            let sums = try removeRows(of: found.number)
            try connections.write { database in
                // Another run may have the same result.
                for sum in sums where try !isNamed(sum, in: database) { blobs.remove(sum) }
            }
            try giveSpaceBack()
            return true
        }
    }

    /// Removes all runs that ended before a date, optionally of one workflow only; releases the space, and returns the
    /// number of runs.
    ///
    /// - Throws: A ``RunStoreError`` if the file can't be read or written.
    public func forget(endedBefore date: Date, of workflow: String?) throws -> Int {
        try RunStoreError.translating(name) {
            let numbers = try connections.read { database in
                let row = try database.statement(
                    """
                    SELECT id FROM runs WHERE ending IS NOT NULL AND ended < ?1 AND (?2 IS NULL OR workflow = ?2)
                    """)
                defer { row.reset() }
                try row.bind(date, at: 1)
                try row.bind(workflow, at: 2)
                var numbers: [Int] = []
                while try row.step() { numbers.append(row.integer(0)) }
                return numbers
            }
            // Include runs whose removal an earlier process has not completed.
            let count = try numbers.count { try remove($0, endedBefore: date) }
            for run in try removedRuns() { _ = try removeRows(of: run) }
            // Also removes files of a process that died between writing a result and committing its row.
            let names = blobs.names
            for start in stride(from: 0, to: names.count, by: Self.batch) {
                let some = names[start..<min(start + Self.batch, names.count)]
                // A process that has written a file and not yet registered it writes it again.
                try connections.write { database in
                    try blobs.remove(some) { try isNamed($0, in: database) }
                }
                letOthersWrite()
            }
            try giveSpaceBack()
            return count
        }
    }

    /// Removes a run's row; returns false if it has a living owner or no longer matches the date.
    ///
    /// Other rows are removed later in small transactions, so that other processes can write in between.
    private func remove(_ run: Int, endedBefore date: Date? = nil) throws -> Bool {
        try connections.write { database in
            // The owner lock keeps other processes from opening the run until the transaction has ended.
            guard try owners.take(run) else { return false }
            defer { owners.release(run) }
            let row = try database.statement(
                "DELETE FROM runs WHERE id = ?1 AND (?2 IS NULL OR ended < ?2)")
            try row.bind(run, at: 1)
            try row.bind(date, at: 2)
            try row.run()
            // The run may have been resumed since it was selected by date.
            return database.changes == 1 || date == nil
        }
    }

    /// Returns the removed runs that still have rows, including those left by a process that died.
    private func removedRuns() throws -> [Int] {
        try connections.read { database in
            let row = try database.statement(
                // All tables that `removeRows` empties, since a removal can be cut off between any two of them. Skips
                // from run to run through the primary keys instead of scanning all steps.
                """
                WITH RECURSIVE found (run) AS (
                    SELECT min(run) FROM steps UNION ALL
                    SELECT (SELECT min(run) FROM steps WHERE steps.run > found.run) FROM found
                    WHERE run IS NOT NULL),
                reusable (run) AS (
                    SELECT min(run) FROM cached UNION ALL
                    SELECT (SELECT min(run) FROM cached WHERE cached.run > reusable.run) FROM reusable
                    WHERE run IS NOT NULL),
                known (run) AS (
                    SELECT run FROM found UNION SELECT run FROM reusable UNION SELECT run FROM history
                    UNION SELECT run FROM signals UNION SELECT run FROM inputs UNION SELECT run FROM blobs)
                SELECT run FROM known WHERE run IS NOT NULL AND run NOT IN (SELECT id FROM runs)
                """)
            defer { row.reset() }
            var runs: [Int] = []
            while try row.step() { runs.append(row.integer(0)) }
            return runs
        }
    }

    /// Removes the rows of a removed run in batches; returns its large results.
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
                // A transaction for each batch of 2,000 rows.
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

    /// Sleeps shortly: SQLite has no queue, so a waiting process acquires the lock only in a pause.
    private func letOthersWrite() { Thread.sleep(forTimeInterval: 0.002) }

    private func giveSpaceBack() throws {
        // Stop when nothing is free, or when readers prevent further progress.
        var left = Int.max
        while true {
            var free = 0
            try connections.maintain { database in
                // A transaction for each 4 MB: other processes write in between.
                try database.run("PRAGMA incremental_vacuum(1000)")
                free = try database.integer("PRAGMA freelist_count")
            }
            if free == 0 || free >= left { break }
            left = free
            letOthersWrite()
        }
        // Shrinks the file. If a reader prevents this, a later checkpoint will.
        connections.shrinkLog()
    }
}
