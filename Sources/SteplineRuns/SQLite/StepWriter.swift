import Foundation

/// Writes changes of one run's steps, within a transaction.
struct StepWriter {
    private let database: Database
    private let run: Int
    /// By how much the numbers of steps that have finished and failed have changed.
    private(set) var finished = 0
    private(set) var failed = 0
    /// How many changes were taken.
    private(set) var taken = 0

    init(_ database: Database, run: Int) {
        self.database = database
        self.run = run
    }

    /// Takes a change; false if it is refused.
    mutating func take(_ change: StepChange, result: StoredResult?) throws -> Bool {
        let wasTaken =
            if change.isEndOfKnownAttempt {
                try end(change, result) || replace(change, result)
            } else {
                try insert(change, result) || replace(change, result)
            }
        if wasTaken { taken += 1 }
        if wasTaken, let key = change.cacheKey, case .finished = change.kind { try note(change, key) }
        return wasTaken
    }

    /// The door for a step of which nothing is known yet: one statement.
    private mutating func insert(_ change: StepChange, _ result: StoredResult?) throws -> Bool {
        let old = StepRecord(name: change.step)
        guard let new = old.taking(change) else { return false }
        let row = try database.statement(
            """
            INSERT INTO steps
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
            ON CONFLICT DO NOTHING
            """)
        try StepRow.bind(new, run: run, result: result, to: row)
        try row.run()
        guard database.changes == 1 else { return false }
        count(from: old.state, to: new.state)
        return true
    }

    /// The door for the end of the attempt that runs: one statement.
    private mutating func end(_ change: StepChange, _ result: StoredResult?) throws -> Bool {
        var old = StepRecord(name: change.step)
        old.state = .running
        old.attempt = change.attempt
        old.token = change.token
        // When it began isn't known here; the row keeps what it has.
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
        count(from: .running, to: new.state)
        return true
    }

    /// The door for everything else: reads the row, and keeps what it held before as history.
    private mutating func replace(_ change: StepChange, _ result: StoredResult?) throws -> Bool {
        let old = try record(of: change.step) ?? StepRecord(name: change.step)
        guard let new = old.taking(change) else { return false }
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

    /// Lets other runs find the result.
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
    /// Whether it most likely ends an attempt whose beginning was kept before; a guess, which costs time if
    /// it is wrong.
    fileprivate var isEndOfKnownAttempt: Bool {
        switch kind {
        case .began, .cleared: false
        case .finished, .failed, .waiting: began == nil
        case .cancelled: false
        }
    }
}
