import CSQLite
import Foundation

extension RunStoreError {
    /// What a failure of SQLite's or the system's means for a store; other errors as they are.
    static func translated(_ error: any Error, store: String) -> any Error {
        switch error {
        case let failure as SQLiteFailure: RunStoreError(failure, store: store)
        case let failure as SystemFailure: RunStoreError(failure, store: store)
        case let moved as FileMoved: RunStoreError(.unavailable, store: store, "\(moved)")
        default: error
        }
    }

    /// Does something of which every failure is to be a store's.
    static func translating<Result>(_ store: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw translated(error, store: store) }
    }

    init(_ failure: SystemFailure, store: String) {
        self.init(failure.code, store: store, Self.sentence(failure.code), underlying: failure)
    }

    init(_ failure: SQLiteFailure, store: String) {
        let code: Code
        switch failure.code & 0xFF {
        case SQLITE_FULL: code = .full
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: code = .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: code = .busy
        case SQLITE_CORRUPT: code = .damaged
        case SQLITE_NOTADB: code = .notAStore
        case SQLITE_CANTOPEN:
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
        case .busy: "others have kept it busy for too long"
        case .damaged: "it is damaged"
        case .notAStore: "it isn't a store of runs"
        default: "the system refused something"
        }
    }
}
