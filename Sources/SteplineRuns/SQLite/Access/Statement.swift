import CSQLite
import Foundation

/// A prepared statement: parameters count from 1, columns from 0.
///
/// Not thread-safe. Call `reset` after the last row: an active statement keeps its read transaction open.
final class Statement: StoredRow {
    private let handle: OpaquePointer
    private let database: OpaquePointer

    init(_ sql: StaticString, in database: OpaquePointer) throws {
        var handle: OpaquePointer?
        // Persistent: `Database` caches each statement for the life of the connection.
        let code = sqlite3_prepare_v3(
            database, UnsafeRawPointer(sql.utf8Start).assumingMemoryBound(to: CChar.self),
            Int32(sql.utf8CodeUnitCount), UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteFailure(code, in: database) }
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    // MARK: Values

    func bind(_ value: Int, at place: Int32) throws { try bind(Int64(value), at: place) }

    func bind(_ value: Int64, at place: Int32) throws { try check(sqlite3_bind_int64(handle, place, value)) }

    /// Binds the signed number with the same bits.
    func bind(_ value: UInt64, at place: Int32) throws { try bind(Int64(bitPattern: value), at: place) }

    func bind(_ value: Int?, at place: Int32) throws {
        if let value { try bind(value, at: place) } else { try bindNull(at: place) }
    }

    func bind(_ value: Double, at place: Int32) throws {
        try check(sqlite3_bind_double(handle, place, value))
    }

    /// Binds seconds since 2001, in which every `Date` is exact.
    func bind(_ value: Date?, at place: Int32) throws {
        if let value {
            try bind(value.timeIntervalSinceReferenceDate, at: place)
        } else {
            try bindNull(at: place)
        }
    }

    func bind(_ value: String?, at place: Int32) throws {
        guard var value else { return try bindNull(at: place) }
        let code = value.withUTF8 { bytes in
            // An empty string may have no address, and a null pointer would bind NULL.
            guard let base = bytes.baseAddress else { return stepline_sqlite_bind_text(handle, place, "", 0) }
            return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                stepline_sqlite_bind_text(handle, place, $0, Int32(clamping: bytes.count))
            }
        }
        try check(code)
    }

    func bind(_ value: Data?, at place: Int32) throws {
        guard let value else { return try bindNull(at: place) }
        try value.withUnsafeBytes { try bind($0, at: place) }
    }

    func bind(_ bytes: UnsafeRawBufferPointer, at place: Int32) throws {
        // A null pointer would bind NULL instead of an empty value.
        guard let base = bytes.baseAddress, !bytes.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, place, 0))
        }
        // Clamp instead of trapping: SQLite refuses such a length as too big.
        try check(stepline_sqlite_bind_blob(handle, place, base, Int32(clamping: bytes.count)))
    }

    func bindNull(at place: Int32) throws { try check(sqlite3_bind_null(handle, place)) }

    // MARK: Running

    /// Advances to the next row; returns false after the last one.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let failure = SQLiteFailure(code, in: database)
            // Release the locks before throwing.
            reset()
            throw failure
        }
    }

    /// Executes the statement completely and resets it.
    func run() throws {
        while try step() {}
        reset()
    }

    /// Resets the statement for the next execution.
    func reset() { sqlite3_reset(handle) }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw SQLiteFailure(code, in: database) }
    }

    // MARK: Columns

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int { Int(truncatingIfNeeded: sqlite3_column_int64(handle, column)) }

    func unsigned(_ column: Int32) -> UInt64 { UInt64(bitPattern: sqlite3_column_int64(handle, column)) }

    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func date(_ column: Int32) -> Date? {
        isNull(column) ? nil : Date(timeIntervalSinceReferenceDate: double(column))
    }

    func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(handle, column) else { return "" }
        // Ask for the length after the text: reading the text may convert the value.
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func data(_ column: Int32) -> Data? {
        if isNull(column) { return nil }
        // SQLite returns a null pointer for an empty value too.
        guard let bytes = sqlite3_column_blob(handle, column) else { return Data() }
        // Copy: SQLite frees the bytes at the next step.
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
