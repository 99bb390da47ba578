public import Foundation
import SteplineSupport

extension SQLiteRunStore {
    /// Returns all runs, newest first, optionally of one workflow only.
    ///
    /// - Throws: A ``RunStoreError`` if the file can't be read.
    public func runs(of workflow: String?) throws -> [RunRecord] {
        var rows = try read { try RunRow.all(of: workflow, in: $0) }
        let owned = owners.all()
        var opened: Set<Int> = []
        if rows.contains(where: { $0.record.ended == nil && !owned.contains($0.number) }) {
            // A run without owner and end may have ended between the two reads. Its row is final now.
            let known = Dictionary(uniqueKeysWithValues: rows.map { ($0.number, $0.record.openings) })
            rows = try read { try RunRow.all(of: workflow, in: $0) }.filter { known[$0.number] != nil }
            // One that was opened between them may have its owner still.
            opened = Set(rows.filter { $0.record.openings != known[$0.number] }.map(\.number))
        }
        return rows.map { row in
            var record = row.record
            record.isOpen =
                owned.contains(row.number) || opened.contains(row.number) && owners.isOwned(row.number)
            return record
        }
    }

    /// Returns one run; nil if it doesn't exist.
    ///
    /// - Throws: A ``RunStoreError`` if the file can't be read.
    public func run(_ id: RunID) throws -> RunRecord? {
        guard let row = try read({ try RunRow.find(id, in: $0) }) else { return nil }
        var record = row.record
        record.isOpen = owners.isOwned(row.number)
        // A run without owner and end may have ended between the two reads. Its row is final now.
        if !record.isOpen, record.ended == nil {
            let again = try read { try RunRow.find(id, in: $0) }?.record
            // Another process has opened it meanwhile.
            if let again, again.openings != record.openings { return try run(id) }
            return again
        }
        return record
    }

    /// Calls `body` for each step of a run, sorted by UTF-8 bytes of the names, without results.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist, or the error of `body`.
    public func forEachStep(of id: RunID, _ body: (StepRecord) throws -> Void) throws {
        try forEachStep(ofRun: read { try number(of: id, in: $0) }, body)
    }

    /// Returns one step without its result; nil if it isn't stored.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist.
    public func step(_ name: String, of id: RunID) throws -> StepRecord? {
        try read { database in
            let row = try database.statement(
                """
                SELECT name, state, attempt, token, version, links, failures, interruptions,
                    began, ended, due, wait, code, subject, message, underlying, size
                FROM steps WHERE run = ?1 AND name = ?2
                """)
            defer { row.reset() }
            try row.bind(try number(of: id, in: database), at: 1)
            try row.bind(name, at: 2)
            return try row.step() ? StepRecord(row) : nil
        }
    }

    /// Returns the replaced attempts of a run's steps, oldest first.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist.
    public func history(of id: RunID) throws -> [StepRecord] {
        try read { database in
            let row = try database.statement(
                """
                SELECT name, state, attempt, token, version, links, failures, interruptions,
                    began, ended, due, wait, code, subject, message, underlying, size
                FROM history WHERE run = ?1 ORDER BY id
                """)
            defer { row.reset() }
            try row.bind(try number(of: id, in: database), at: 1)
            var steps: [StepRecord] = []
            while try row.step() { steps.append(StepRecord(row)) }
            return steps
        }
    }

    /// Returns the result of a step; nil if it has none.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist, or `resultDamaged` if the
    ///   bytes aren't those that were written.
    public func result(of step: String, in id: RunID) throws -> Data? {
        try result(of: step, ofRun: read { try number(of: id, in: $0) })
    }

    /// Returns the names of steps whose result should be in a file beside the store, and isn't.
    public func missingResults(of id: RunID) throws -> [String] {
        try read { database in
            // Smaller results are in the row itself.
            let row = try database.statement("SELECT name, result FROM steps WHERE run = ?1 AND size > ?2")
            defer { row.reset() }
            try row.bind(try number(of: id, in: database), at: 1)
            try row.bind(StoredResult.largestInline, at: 2)
            var names: [String] = []
            while try row.step() {
                // A file's presence is checked; its bytes are checked when the result is read.
                if !blobs.has(Array(row.data(1) ?? Data())) { names.append(row.text(0)) }
            }
            return names
        }
    }

    /// The signals that have come for a run, in the order in which they came.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist.
    public func signals(of id: RunID) throws -> [RunSignal] {
        try read { try SignalRow.all(of: number(of: id, in: $0), in: $0) }
    }

    /// The step that has finished with that cache key; see ``RunStore/cachedStep(_:endedIn:)``.
    ///
    /// - Throws: A ``RunStoreError`` if the file can't be read.
    public func cachedStep(_ key: String, endedIn dates: ClosedRange<Date>) throws -> CachedStep? {
        try read { database in
            let row = try database.statement(
                """
                SELECT steps.name, runs.workflow, runs.key FROM cached
                JOIN steps ON steps.run = cached.run AND steps.name = cached.name
                    AND steps.attempt = cached.attempt AND steps.state = 3
                JOIN runs ON runs.id = cached.run
                WHERE cached.key = ?1 AND steps.ended BETWEEN ?2 AND ?3 ORDER BY steps.ended DESC LIMIT 1
                """)
            defer { row.reset() }
            try row.bind(key, at: 1)
            try row.bind(dates.lowerBound, at: 2)
            try row.bind(dates.upperBound, at: 3)
            guard try row.step() else { return nil }
            return CachedStep(row.text(0), of: RunID(row.text(1), key: row.text(2)))
        }
    }

    /// Returns a number that changes with every commit of another connection to the file.
    ///
    /// - Throws: A ``RunStoreError`` if the file can't be read.
    public func changeMark() throws -> Int? {
        try RunStoreError.translating(name) { try connections.changeMark() }
    }

    func forEachStep(ofRun run: Int, _ body: (StepRecord) throws -> Void) throws {
        try read { database in
            let row = try database.statement(
                """
                SELECT name, state, attempt, token, version, links, failures, interruptions,
                    began, ended, due, wait, code, subject, message, underlying, size
                FROM steps WHERE run = ?1 ORDER BY name
                """)
            defer { row.reset() }
            try row.bind(run, at: 1)
            // The statement's read transaction gives a snapshot. `body` may use other connections of the store.
            while try row.step() { try body(StepRecord(row)) }
        }
    }

    func result(of step: String, ofRun run: Int) throws -> Data? {
        let found = try read { try StoredBytes.find([step], ofRun: run, in: $0) }
        return try found[0].map { try bytes($0, of: step, ofRun: run) }
    }

    /// Returns the results of several steps by one read of the file; see ``result(of:in:)``.
    func results(of steps: [String], in id: RunID) throws -> [Data?] {
        let (run, found) = try read { database in
            try database.snapshot {
                let run = try number(of: id, in: database)
                return (run, try StoredBytes.find(steps, ofRun: run, in: database))
            }
        }
        return try zip(steps, found).map { step, found in
            try found.map { try bytes($0, of: step, ofRun: run) }
        }
    }

    /// The columns of a result.
    private struct StoredBytes {
        let size: Int
        let sum: Int?
        /// The result, or the SHA-256 of a large one.
        let bytes: Data

        static func find(_ steps: [String], ofRun run: Int, in database: Database) throws -> [StoredBytes?] {
            let row = try database.statement(
                "SELECT size, sum, result FROM steps WHERE run = ?1 AND name = ?2 AND size IS NOT NULL")
            defer { row.reset() }
            return try steps.map { step in
                row.reset()
                try row.bind(run, at: 1)
                try row.bind(step, at: 2)
                guard try row.step() else { return nil }
                return StoredBytes(
                    size: row.integer(0), sum: row.isNull(1) ? nil : row.integer(1),
                    bytes: row.data(2) ?? Data())
            }
        }
    }

    /// Checks a result, and reads it from its file if it is large.
    private func bytes(_ found: StoredBytes, of step: String, ofRun run: Int) throws -> Data {
        func damaged(_ detail: String) -> RunStoreError {
            .resultDamaged(of: step, store: name, detail)
        }
        let isInline = found.size <= StoredResult.largestInline
        // Older programs stored no checksum for large results.
        let isRight =
            found.sum.map { ResultSum.isRight($0, found.bytes, run: run, step: step) } ?? !isInline
        // For a large result `bytes` is the SHA-256, so its count differs from `size`.
        guard isRight, !isInline || found.bytes.count == found.size else {
            throw damaged("isn't what was written")
        }
        if isInline { return found.bytes }
        guard
            let data = try RunStoreError.translating(name, { try blobs.bytes(of: Array(found.bytes)) })
        else {
            // The row refers to a file that is missing.
            throw damaged("is gone")
        }
        // The name of a file proves nothing about its bytes.
        guard data.count == found.size, data.withUnsafeBytes({ SHA256.hash($0) }) == Array(found.bytes)
        else {
            throw damaged("isn't what was written")
        }
        return data
    }

    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try RunStoreError.translating(name) { try connections.read(body) }
    }
}
