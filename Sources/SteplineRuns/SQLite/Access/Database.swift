import CSQLite
import Foundation

/// A connection to a database of SQLite's, for one thread at a time.
final class Database {
    private let handle: OpaquePointer
    /// By where their text stands in the program.
    private var statements: [UnsafePointer<UInt8>: Statement] = [:]

    /// Opens a file that exists; nothing of it is read or written yet.
    init(path: String, readOnly: Bool = false) throws {
        var handle: OpaquePointer?
        let mode = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let code = sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw SQLiteFailure(code, in: handle)
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
    }

    deinit {
        // Statements that stand hold the connection open.
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// How many rows the last statement has changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// The number of the row that was inserted last.
    var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

    /// Whether the file at its path is another one by now, or none.
    var hasMoved: Bool { stepline_sqlite_has_moved(handle) != 0 }

    /// How long others that keep it busy are waited for.
    func wait(forBusy timeout: Duration) {
        let (seconds, attoseconds) = timeout.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
        let rest = attoseconds / 1_000_000_000_000_000
        sqlite3_busy_timeout(
            handle, milliseconds.overflow ? Int32.max : Int32(clamping: milliseconds.partialValue + rest))
    }

    /// A prepared statement, ready for its values.
    func statement(_ sql: StaticString) throws -> Statement {
        if let statement = statements[sql.utf8Start] { return statement }
        let statement = try Statement(sql, in: handle)
        statements[sql.utf8Start] = statement
        return statement
    }

    /// Runs a statement without values that is needed once.
    func run(_ sql: StaticString) throws {
        try Statement(sql, in: handle).run()
    }

    /// The number that a statement gives.
    func integer(_ sql: StaticString) throws -> Int {
        let statement = try Statement(sql, in: handle)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Lets the file grow to so many pages and no further, on this connection.
    func limit(toPages pages: Int) throws {
        // SQLite takes no bound value here; a number can't be anything else.
        guard sqlite3_exec(handle, "PRAGMA max_page_count = \(pages)", nil, nil, nil) == SQLITE_OK else {
            throw SQLiteFailure(SQLITE_ERROR, in: handle)
        }
    }

    /// The first bytes of its file, as many as there are; reading them takes no lock.
    func start(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = stepline_sqlite_read_start(handle, &bytes, Int32(count))
        guard code == SQLITE_OK || code == Self.shortRead else { throw SQLiteFailure(code, in: handle) }
        return bytes
    }

    /// `SQLITE_IOERR_SHORT_READ`, a macro that Swift can't see.
    private static let shortRead = SQLITE_IOERR | (2 << 8)

    /// Does all of it or nothing, while nobody else writes.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try statement("BEGIN IMMEDIATE").run()
        do {
            let result = try body()
            try statement("COMMIT").run()
            return result
        } catch {
            // After some failures SQLite has done so itself.
            if sqlite3_get_autocommit(handle) == 0 { try? statement("ROLLBACK").run() }
            throw error
        }
    }
}
