import CSQLitePeer
import Foundation

/// SQLite by hand: what a program would do that writes its results down and nothing else.
final class BareDatabase {
    struct Failure: Error { let code: Int32 }

    private var database: OpaquePointer?
    private var insert: OpaquePointer?

    init(_ path: String, isFull: Bool) throws {
        try check(sqlite3_open(path, &database))
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = \(isFull ? "FULL" : "NORMAL")")
        try run("CREATE TABLE results (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
        try check(sqlite3_prepare_v2(database, "INSERT INTO results VALUES (?, ?)", -1, &insert, nil))
    }

    deinit {
        sqlite3_finalize(insert)
        sqlite3_close(database)
    }

    /// Writes so many results, so many in a transaction.
    func write(_ count: Int, inGroupsOf size: Int) throws {
        var number = 0
        while number < count {
            try run("BEGIN IMMEDIATE")
            for _ in 0..<min(size, count - number) {
                let name = "task \(number)"
                let value = "\(number)"
                let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                try check(sqlite3_bind_text(insert, 1, name, -1, transient))
                try check(sqlite3_bind_blob(insert, 2, value, Int32(value.utf8.count), transient))
                _ = sqlite3_step(insert)
                try check(sqlite3_reset(insert))
                number += 1
            }
            try run("COMMIT")
        }
    }

    private func run(_ text: String) throws { try check(sqlite3_exec(database, text, nil, nil, nil)) }

    private func check(_ code: Int32) throws { if code != SQLITE_OK { throw Failure(code: code) } }
}
