import CSQLite
import Foundation

/// An error of SQLite.
struct SQLiteFailure: LocalizedError, CustomStringConvertible {
    /// The extended result code.
    let code: Int32
    let message: String
    /// The system's error number; 0 for none.
    let system: Int32

    init(_ code: Int32, in database: OpaquePointer?) {
        guard let database else {
            self.code = code
            message = String(cString: sqlite3_errstr(code))
            system = 0
            return
        }
        let extended = sqlite3_extended_errcode(database)
        // The extended code belongs to the last failed call: use it only if it refines this code.
        self.code = extended & 0xFF == code & 0xFF ? extended : code
        message = String(cString: sqlite3_errmsg(database))
        // The number persists from earlier calls and is valid for file errors only.
        let isOfFiles = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xFF)
        system = isOfFiles ? sqlite3_system_errno(database) : 0
    }

    /// Whether other connections hold the file.
    var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].contains(code & 0xFF) }

    var description: String {
        let cause = system == 0 ? "" : ", \(String(cString: strerror(system)))"
        return "\(message) (SQLite \(code)\(cause))"
    }

    var errorDescription: String? { description }
}
