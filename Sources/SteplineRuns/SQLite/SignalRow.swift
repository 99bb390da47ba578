import Foundation

/// The rows of the table `signals`.
enum SignalRow {
    /// Inserts a signal; returns false if an earlier one for the same subject exists.
    static func insert(_ signal: RunSignal, run: Int, at now: Date, in database: Database) throws -> Bool {
        let row = try database.statement(
            "INSERT OR IGNORE INTO signals (run, kind, condition, value, sent) VALUES (?1, ?2, ?3, ?4, ?5)")
        try row.bind(run, at: 1)
        // Kinds: 0 fulfils a condition, 1 cancels. The index permits one row for each.
        switch signal {
        case .fulfil(let condition, let value):
            try row.bind(0, at: 2)
            try row.bind(condition, at: 3)
            try row.bind(value, at: 4)
        case .cancel(let reason):
            try row.bind(1, at: 2)
            try row.bind("", at: 3)
            try row.bind(Data(reason.utf8), at: 4)
        }
        try row.bind(now, at: 5)
        try row.run()
        // 0: the unique index has ignored the row.
        return database.changes == 1
    }

    /// Removes the cancellation signal of a run.
    static func removeCancellation(of run: Int, in database: Database) throws {
        let row = try database.statement("DELETE FROM signals WHERE run = ?1 AND kind = 1")
        try row.bind(run, at: 1)
        try row.run()
    }

    /// Removes the signal of a condition; returns false if there is none.
    static func remove(_ condition: String, of run: Int, in database: Database) throws -> Bool {
        let row = try database.statement(
            "DELETE FROM signals WHERE run = ?1 AND kind = 0 AND condition = ?2")
        try row.bind(run, at: 1)
        try row.bind(condition, at: 2)
        try row.run()
        return database.changes == 1
    }

    /// Returns all signals of a run in order of arrival.
    static func all(of run: Int, in database: Database) throws -> [RunSignal] {
        let row = try database.statement(
            "SELECT kind, condition, value FROM signals WHERE run = ?1 ORDER BY id")
        defer { row.reset() }
        try row.bind(run, at: 1)
        var signals: [RunSignal] = []
        while try row.step() {
            signals.append(
                row.integer(0) == 0
                    ? .fulfil(condition: row.text(1), row.data(2))
                    : .cancel(String(decoding: row.data(2) ?? Data(), as: UTF8.self)))
        }
        return signals
    }
}
