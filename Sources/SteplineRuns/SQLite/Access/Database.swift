import CSQLite
import Foundation

/// A connection to a SQLite database, for one thread at a time.
final class Database {
    private let handle: OpaquePointer
    /// The prepared statements, keyed by the address of their static text.
    private var statements: [UnsafePointer<UInt8>: Statement] = [:]
    /// The longest wait for locks of other connections, and the begin of the present wait.
    private var (busyLimit, busySince) = (Duration.zero, ContinuousClock.now)

    /// Opens an existing file without reading or writing it.
    init(path: String, readOnly: Bool = false) throws {
        var handle: OpaquePointer?
        let mode = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        // NOMUTEX: `Connections` makes each use exclusive.
        let code = sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            // SQLite may return a handle even after a failure.
            defer { sqlite3_close_v2(handle) }
            throw SQLiteFailure(code, in: handle)
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
    }

    deinit {
        // Finalize the statements first: they keep the connection open.
        statements = [:]
        sqlite3_busy_handler(handle, nil, nil)
        sqlite3_close_v2(handle)
    }

    /// The number of rows changed by the last statement.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// The row number of the last insertion.
    var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

    /// Whether the path no longer leads to the open file.
    var hasMoved: Bool { stepline_sqlite_has_moved(handle) != 0 }

    /// Sets the longest wait for locks of other connections.
    func wait(forBusy timeout: Duration) {
        busyLimit = timeout
        // SQLite's own handler looks only every 100 ms, and misses the short gaps of a busy writer.
        sqlite3_busy_handler(
            handle,
            { database, look in
                guard let database else { return 0 }
                return Unmanaged<Database>.fromOpaque(database).takeUnretainedValue().waits(atLook: look)
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Sleeps before another look at a lock; returns false if the wait has been too long.
    private func waits(atLook look: Int32) -> Bool {
        if look == 0 { busySince = .now }
        guard ContinuousClock.now - busySince < busyLimit else { return false }
        Thread.sleep(forTimeInterval: look < 200 ? 0.0005 : 0.002)
        return true
    }

    /// Returns a prepared statement, ready for binding values.
    func statement(_ sql: StaticString) throws -> Statement {
        // A literal has a fixed address. Equal literals elsewhere are just prepared twice.
        if let statement = statements[sql.utf8Start] { return statement }
        let statement = try Statement(sql, in: handle)
        statements[sql.utf8Start] = statement
        return statement
    }

    /// Runs a statement that has no values and is needed once.
    func run(_ sql: StaticString) throws {
        try Statement(sql, in: handle).run()
    }

    /// Returns the number that a query yields; 0 without a row.
    func integer(_ sql: StaticString) throws -> Int {
        let statement = try Statement(sql, in: handle)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Limits the size of the file in pages, for this connection.
    func limit(toPages pages: Int) throws {
        // PRAGMA accepts no bound value. An integer can't inject SQL.
        guard sqlite3_exec(handle, "PRAGMA max_page_count = \(pages)", nil, nil, nil) == SQLITE_OK else {
            throw SQLiteFailure(SQLITE_ERROR, in: handle)
        }
    }

    /// Returns the first bytes of the file without taking a lock; fewer if the file is shorter.
    func start(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = stepline_sqlite_read_start(handle, &bytes, Int32(count))
        guard code == SQLITE_OK || code == Self.shortRead else { throw SQLiteFailure(code, in: handle) }
        return bytes
    }

    /// `SQLITE_IOERR_SHORT_READ`: Swift can't import the macro.
    private static let shortRead = SQLITE_IOERR | (2 << 8)

    /// Runs a closure that reads, in one transaction: every statement reads the same state, and none locks anew.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        // Made before the begin, so that it can't fail for want of memory.
        let end = try statement("ROLLBACK")
        try statement("BEGIN").run()
        defer {
            // SQLite has already rolled back after some failures.
            if sqlite3_get_autocommit(handle) == 0 { try? end.run() }
        }
        return try body()
    }

    /// Runs a closure in a write transaction.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        // IMMEDIATE takes the write lock now. A later upgrade from a read lock could fail at once as busy.
        try statement("BEGIN IMMEDIATE").run()
        do {
            let result = try body()
            try statement("COMMIT").run()
            return result
        } catch {
            // SQLite has already rolled back after some failures.
            if sqlite3_get_autocommit(handle) == 0 { try? statement("ROLLBACK").run() }
            throw error
        }
    }
}
