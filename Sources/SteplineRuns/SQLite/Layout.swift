/// The schema of a store's file, and the scripts that update older files.
enum Layout {
    /// The application identifier of a store's file: "STPL".
    static let mark: UInt32 = 0x5354_504C

    /// The version of the schema that this program writes.
    static var version: Int { scripts.count }

    /// The scripts from each version to the next; the first creates the schema.
    ///
    /// Dates are seconds since 2001. States and endings have the numbers of `StoredRow`. A result of up to
    /// `StoredResult.largestInline` bytes is in `result`, and its CRC-32 in `sum`. For a larger one, `result` is its
    /// SHA-256, and the bytes are in a file beside the store.
    private static let scripts: [[StaticString]] = [
        [
            """
            CREATE TABLE runs (
                id INTEGER PRIMARY KEY AUTOINCREMENT, workflow TEXT NOT NULL, key TEXT NOT NULL,
                created REAL NOT NULL, ending INTEGER, reason TEXT, ended REAL,
                host TEXT NOT NULL, process INTEGER NOT NULL, token INTEGER NOT NULL, since REAL NOT NULL,
                openings INTEGER NOT NULL, finished INTEGER NOT NULL, failed INTEGER NOT NULL,
                UNIQUE (workflow, key))
            """,
            "CREATE TABLE inputs (run INTEGER PRIMARY KEY, input BLOB NOT NULL)",
            """
            CREATE TABLE steps (
                run INTEGER NOT NULL, name TEXT NOT NULL, state INTEGER NOT NULL,
                attempt INTEGER NOT NULL, token INTEGER NOT NULL, version INTEGER NOT NULL,
                links INTEGER NOT NULL,
                failures INTEGER NOT NULL, interruptions INTEGER NOT NULL,
                began REAL, ended REAL, due REAL, wait REAL NOT NULL,
                code TEXT, subject TEXT, message TEXT, underlying TEXT,
                size INTEGER, sum INTEGER, result BLOB,
                PRIMARY KEY (run, name)) WITHOUT ROWID
            """,
            """
            CREATE TABLE history (
                id INTEGER PRIMARY KEY, run INTEGER NOT NULL, name TEXT NOT NULL, state INTEGER NOT NULL,
                attempt INTEGER NOT NULL, token INTEGER NOT NULL, version INTEGER NOT NULL,
                links INTEGER NOT NULL,
                failures INTEGER NOT NULL, interruptions INTEGER NOT NULL,
                began REAL, ended REAL, due REAL, wait REAL NOT NULL,
                code TEXT, subject TEXT, message TEXT, underlying TEXT, size INTEGER)
            """,
            "CREATE INDEX historyOfRun ON history (run)",
            """
            CREATE TABLE signals (
                id INTEGER PRIMARY KEY, run INTEGER NOT NULL, kind INTEGER NOT NULL, condition TEXT NOT NULL,
                value BLOB, sent REAL NOT NULL, UNIQUE (run, kind, condition))
            """,
            """
            CREATE TABLE blobs (
                run INTEGER NOT NULL, sum BLOB NOT NULL, PRIMARY KEY (run, sum)) WITHOUT ROWID
            """,
            "CREATE INDEX blobsBySum ON blobs (sum)",
            "PRAGMA user_version = 1",
        ],
        [
            // Reusable results. A row counts only while its step is finished with the same attempt.
            """
            CREATE TABLE cached (
                run INTEGER NOT NULL, name TEXT NOT NULL, attempt INTEGER NOT NULL, key TEXT NOT NULL,
                PRIMARY KEY (run, name)) WITHOUT ROWID
            """,
            "CREATE INDEX cachedByKey ON cached (key)",
            "PRAGMA user_version = 2",
        ],
    ]

    /// Creates the schema in an empty file that no other process uses yet.
    static func make(in database: Database) throws {
        // SQLite accepts these only before the first table is created.
        try database.run("PRAGMA page_size = 4096")
        try database.run("PRAGMA auto_vacuum = INCREMENTAL")
        try database.run("PRAGMA application_id = 0x5354504C")
        try update(database)
        try database.run("PRAGMA journal_mode = WAL")
    }

    /// Updates the schema in one transaction.
    static func update(_ database: Database) throws {
        guard try layout(of: database) < version else { return }
        try database.transaction {
            // Read the version again inside the transaction: another process may have updated the file.
            for script in scripts.dropFirst(try layout(of: database)) {
                for statement in script { try database.run(statement) }
            }
        }
    }

    static func layout(of database: Database) throws -> Int { try database.integer("PRAGMA user_version") }
}
