import CSQLite
import Foundation

/// What SQLite has refused, in its own words.
struct SQLiteFailure: LocalizedError, CustomStringConvertible {
    /// The extended code.
    let code: Int32
    let message: String
    /// What the system said, 0 for nothing.
    let system: Int32

    init(_ code: Int32, in database: OpaquePointer?) {
        guard let database else {
            self.code = code
            message = String(cString: sqlite3_errstr(code))
            system = 0
            return
        }
        let extended = sqlite3_extended_errcode(database)
        self.code = extended & 0xFF == code & 0xFF ? extended : code
        message = String(cString: sqlite3_errmsg(database))
        // It stays from earlier calls, and means something for failures of files alone.
        let isOfFiles = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xFF)
        system = isOfFiles ? sqlite3_system_errno(database) : 0
    }

    var description: String {
        let cause = system == 0 ? "" : ", \(String(cString: strerror(system)))"
        return "\(message) (SQLite \(code)\(cause))"
    }

    var errorDescription: String? { description }
}
