import Foundation

/// Writes changes of one run's steps inside a transaction.
///
/// Three ways, cheapest first: insert a new row, update the row of a running attempt, or read and replace the row. The
/// first two cost one statement and fall back to the third.
struct StepWriter {
    private let database: Database
    private let run: Int
    /// The change of the run's counters of finished and failed steps.
    private(set) var finished = 0
    private(set) var failed = 0
    /// The number of accepted changes.
    private(set) var taken = 0
    private var insertion: Statement?
    /// The values that `insertion` has bound for the row before.
    private var bound: StepRow.Common?

    init(_ database: Database, run: Int) {
        self.database = database
        self.run = run
    }

    /// Applies a change; returns false if it is refused.
    mutating func take(_ change: StepChange, result: StoredResult?) throws -> Bool {
        // A wrong guess costs a statement: `replace` handles every case.
        let wasTaken =
            if change.isEndOfKnownAttempt {
                try end(change, result) || replace(change, result)
            } else {
                try insert(change, result) || replace(change, result)
            }
        if wasTaken { taken += 1 }
        // A refused attempt isn't current any more: no other run may find its result.
        if wasTaken, let key = change.cacheKey, case .finished = change.kind { try note(change, key) }
        return wasTaken
    }

    /// Inserts the row of a step that isn't stored yet, in one statement.
    private mutating func insert(_ change: StepChange, _ result: StoredResult?) throws -> Bool {
        let old = StepRecord(name: change.step)
        guard let new = old.taking(change) else { return false }
        let row =
            try insertion
            ?? database.statement(
                """
                INSERT INTO steps
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
                ON CONFLICT DO NOTHING
                """)
        insertion = row
        // After an error the writer is gone, and the next one binds everything.
        bound = try StepRow.bind(new, run: run, result: result, to: row, after: bound)
        try row.run()
        // The step has a row already.
        guard database.changes == 1 else { return false }
        count(from: old.state, to: new.state)
        return true
    }

    /// Updates the row of a running attempt with its end, in one statement.
    private mutating func end(_ change: StepChange, _ result: StoredResult?) throws -> Bool {
        // Assume that the row has this attempt as running. The WHERE clause below checks the assumption.
        var old = StepRecord(name: change.step)
        old.state = .running
        old.attempt = change.attempt
        old.token = change.token
        // The begin is unknown here: `coalesce` keeps the stored one.
        guard let new = old.taking(change) else { return false }
        let row = try database.statement(
            """
            UPDATE steps SET state = ?3, version = ?6, links = ?7, failures = ?8, interruptions = ?9,
                began = coalesce(?21, began, ?10), ended = ?11, due = ?12, wait = ?13,
                code = ?14, subject = ?15, message = ?16, underlying = ?17,
                size = ?18, sum = ?19, result = ?20
            WHERE run = ?1 AND name = ?2 AND attempt = ?4 AND token = ?5 AND state BETWEEN 1 AND 2
            """)
        try StepRow.bind(new, run: run, result: result, to: row)
        try row.bind(change.began, at: 21)
        try row.run()
        guard database.changes == 1 else { return false }
        // The row may also have been `waiting`: the counters include neither state.
        count(from: .running, to: new.state)
        return true
    }

    /// Reads the row, applies the change, and moves the replaced attempt to the history.
    private mutating func replace(_ change: StepChange, _ result: StoredResult?) throws -> Bool {
        let old = try record(of: change.step) ?? StepRecord(name: change.step)
        guard let new = old.taking(change) else { return false }
        // Copy the old row before the statement below overwrites it.
        if old.isReplaced(by: change) { try moveToHistory(change.step) }
        let row = try database.statement(
            """
            INSERT OR REPLACE INTO steps
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
            """)
        try StepRow.bind(new, run: run, result: result, to: row)
        try row.run()
        count(from: old.state, to: new.state)
        return true
    }

    /// Makes the result available to other runs.
    private func note(_ change: StepChange, _ key: String) throws {
        let row = try database.statement("INSERT OR REPLACE INTO cached VALUES (?1, ?2, ?3, ?4)")
        try row.bind(run, at: 1)
        try row.bind(change.step, at: 2)
        try row.bind(change.attempt, at: 3)
        try row.bind(key, at: 4)
        try row.run()
    }

    private func record(of step: String) throws -> StepRecord? {
        let row = try database.statement(
            """
            SELECT name, state, attempt, token, version, links, failures, interruptions,
                began, ended, due, wait, code, subject, message, underlying, size
            FROM steps WHERE run = ?1 AND name = ?2
            """)
        defer { row.reset() }
        try row.bind(run, at: 1)
        try row.bind(step, at: 2)
        return try row.step() ? StepRecord(row) : nil
    }

    private func moveToHistory(_ step: String) throws {
        // NULL lets SQLite assign the next key, so keys follow the order of replacement.
        let row = try database.statement(
            """
            INSERT INTO history
            SELECT NULL, run, name, state, attempt, token, version, links, failures, interruptions,
                began, ended, due, wait, code, subject, message, underlying, size
            FROM steps WHERE run = ?1 AND name = ?2
            """)
        try row.bind(run, at: 1)
        try row.bind(step, at: 2)
        try row.run()
    }

    private mutating func count(from old: StepState, to new: StepState) {
        finished += (new == .finished ? 1 : 0) - (old == .finished ? 1 : 0)
        failed += (new == .failed ? 1 : 0) - (old == .failed ? 1 : 0)
    }
}

extension StepChange {
    /// Whether the change probably ends an attempt whose begin is stored; a wrong guess costs time only.
    fileprivate var isEndOfKnownAttempt: Bool {
        switch kind {
        case .began, .cleared: false
        // A change with `began` comes from a joined pair: no begin was written.
        case .finished, .failed, .waiting: began == nil
        // A step may be cancelled before it begins: there may be no row.
        case .cancelled: false
        }
    }
}
