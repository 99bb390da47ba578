import Foundation

/// A row of the table `runs`.
struct RunRow {
    /// The number of the run, which other tables refer to.
    let number: Int
    /// The run, with `isOpen` false; the caller asks `OwnerLocks`.
    var record: RunRecord

    /// Creates the row from a statement that selects all columns of `runs`, followed by the input.
    init(_ row: Statement) {
        // Positions are those of `Layout`: 0 to 13 are the columns of `runs`, 14 is the joined input.
        number = row.integer(0)
        record = RunRecord(
            id: RunID(row.text(1), key: row.text(2)),
            created: row.date(3) ?? .distantPast,
            ending: Self.ending(row),
            ended: row.date(6),
            owner: RunOwner(
                host: row.text(7), process: row.integer(8), token: row.unsigned(9),
                since: row.date(10) ?? .distantPast),
            // No column records whether the owner is alive: a killed process could not clear the value.
            isOpen: false, openings: row.integer(11), finished: row.integer(12), failed: row.integer(13),
            input: row.data(14))
    }

    /// Returns the run of that name; nil if it doesn't exist.
    static func find(_ id: RunID, in database: Database) throws -> RunRow? {
        let row = try database.statement(
            """
            SELECT runs.*, input FROM runs LEFT JOIN inputs ON inputs.run = runs.id
            WHERE workflow = ?1 AND key = ?2
            """)
        defer { row.reset() }
        try row.bind(id.workflow, at: 1)
        try row.bind(id.key, at: 2)
        return try row.step() ? RunRow(row) : nil
    }

    /// Returns all runs, newest first, by order of creation, which doesn't depend on the clock.
    static func all(of workflow: String?, in database: Database) throws -> [RunRow] {
        let row = try database.statement(
            """
            SELECT runs.*, input FROM runs LEFT JOIN inputs ON inputs.run = runs.id
            WHERE ?1 IS NULL OR workflow = ?1 ORDER BY runs.id DESC
            """)
        defer { row.reset() }
        // nil binds NULL, which selects the runs of all workflows.
        try row.bind(workflow, at: 1)
        var rows: [RunRow] = []
        while try row.step() { rows.append(RunRow(row)) }
        return rows
    }

    /// Inserts a run without openings; returns its number.
    static func insert(_ id: RunID, input: Data?, owner: RunOwner, at now: Date, in database: Database) throws
        -> Int
    {
        let row = try database.statement(
            """
            INSERT INTO runs (workflow, key, created, host, process, token, since, openings, finished, failed)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0, 0)
            """)
        try row.bind(id.workflow, at: 1)
        try row.bind(id.key, at: 2)
        try row.bind(now, at: 3)
        try bind(owner, to: row)
        try row.run()
        let number = database.lastRow
        // A run without an input has no row in `inputs`.
        if let input {
            let row = try database.statement("INSERT INTO inputs VALUES (?1, ?2)")
            try row.bind(number, at: 1)
            try row.bind(input, at: 2)
            try row.run()
        }
        return number
    }

    static func give(_ number: Int, to owner: RunOwner, in database: Database) throws {
        // Keep the ending: the first accepted change of a step clears it.
        let row = try database.statement(
            """
            UPDATE runs SET host = ?4, process = ?5, token = ?6, since = ?7, openings = openings + 1
            WHERE id = ?1
            """)
        try row.bind(number, at: 1)
        try bind(owner, to: row)
        try row.run()
    }

    private static func bind(_ owner: RunOwner, to row: Statement) throws {
        // `insert` and `give` number these parameters alike.
        try row.bind(owner.host, at: 4)
        try row.bind(owner.process, at: 5)
        try row.bind(owner.token, at: 6)
        try row.bind(owner.since, at: 7)
    }

    private static func ending(_ row: Statement) -> RunEnding? {
        // NULL: the run is in progress, or its owner died.
        if row.isNull(4) { return nil }
        return RunEnding(number: row.integer(4), reason: row.text(5))
    }
}
