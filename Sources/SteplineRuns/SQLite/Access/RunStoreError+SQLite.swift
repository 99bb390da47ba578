import CSQLite
import Foundation

extension RunStoreError {
    /// Returns the store error for a failure of SQLite or the system; returns other errors unchanged.
    static func translated(_ error: any Error, store: String) -> any Error {
        switch error {
        case let failure as SQLiteFailure: RunStoreError(failure, store: store)
        case let failure as SystemFailure: RunStoreError(failure, store: store)
        case let moved as FileMoved: RunStoreError(.unavailable, store: store, "\(moved)")
        default: error
        }
    }

    /// Runs a closure and translates its errors into store errors.
    static func translating<Result>(_ store: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw translated(error, store: store) }
    }

    init(_ failure: SystemFailure, store: String) {
        self.init(failure.code, store: store, Self.sentence(failure.code), underlying: failure)
    }

    init(_ failure: SQLiteFailure, store: String) {
        let code: Code
        // The low byte is the primary code.
        switch failure.code & 0xFF {
        case SQLITE_FULL: code = .full
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: code = .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: code = .busy
        case SQLITE_CORRUPT: code = .damaged
        case SQLITE_NOTADB: code = .notAStore
        case SQLITE_CANTOPEN:
            // Without a system error SQLite itself refused the path, such as for a read-only connection.
            let system = SystemFailure("open", failure.system).code
            code = failure.system == 0 ? .readOnly : system
        case SQLITE_IOERR where failure.system != 0: code = SystemFailure("", failure.system).code
        default: code = .unavailable
        }
        self.init(code, store: store, Self.sentence(code), underlying: failure)
    }

    private static func sentence(_ code: Code) -> String {
        switch code {
        case .full: "there is no space left"
        case .readOnly: "it can't be written"
        case .busy: "other processes kept the database busy for too long"
        case .damaged: "it is damaged"
        case .notAStore: "it isn't a store of runs"
        default: "the system refused something"
        }
    }
}
