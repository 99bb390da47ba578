import Foundation
import SteplineSupport

/// The connections of a store to its file: one writer, and a pool of readers.
///
/// SQLite in WAL mode lets readers and one writer work at the same time. A `Database` isn't thread-safe: the lock of
/// `writer` or removal from `readers` makes its user exclusive. The pool grows to the largest number of simultaneous
/// reads. Writers of other processes are awaited up to `Settings.timeout`, and get a gap (`WriteGaps`).
final class Connections: Sendable {
    private struct Connection: @unchecked Sendable {  // protected by the lock, or by removal from the pool
        let database: Database
        var gaps = WriteGaps()
    }

    private let path: String
    private let settings: SQLiteRunStore.Settings
    private let writer: Locked<Connection>  // the only connection that writes
    private let readers = Locked<[Connection]>([])  // idle connections
    /// The connection for `changeMark` only: SQLite's `data_version` counts per connection.
    private let watcher = Locked<Connection?>(nil)

    init(path: String, settings: SQLiteRunStore.Settings) throws {
        self.path = path
        self.settings = settings
        let database = try Database(path: path)
        // Connect now, so that a bad file is reported when the store opens.
        try Self.prepare(database, settings)
        if let pages = settings.pageLimit { try database.limit(toPages: pages) }
        writer = Locked(Connection(database: database))
    }

    /// Returns the file's layout, which may be newer than this program's; updates an older one if asked.
    func layout(updating: Bool) throws -> Int {
        try writer.withLock { writer in
            let layout = try Layout.layout(of: writer.database)
            if updating, layout < Layout.version { try Layout.update(writer.database) }
            return layout
        }
    }

    /// Runs a closure in a write transaction.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try writer.withLock { writer in
            let database = writer.database
            // A file that was moved or deleted still accepts writes, which would be lost.
            if database.hasMoved { throw FileMoved() }
            writer.gaps.beginWrite()
            defer { writer.gaps.endWrite() }
            return try database.transaction { try body(database) }
        }
    }

    /// Runs statements that can't be in a transaction.
    func maintain(_ body: (Database) throws -> Void) throws {
        try writer.withLock { try body($0.database) }
    }

    /// Moves the log into the file, and empties the log unless a reader prevents this.
    func shrinkLog() {
        writer.withLock { writer in
            let database = writer.database
            // Most of the work, without the lock of writers.
            try? database.run("PRAGMA wal_checkpoint(PASSIVE)")
            // TRUNCATE waits for readers with the lock of writers: keep other processes waiting for a moment only.
            database.wait(forBusy: .milliseconds(50))
            try? database.run("PRAGMA wal_checkpoint(TRUNCATE)")
            database.wait(forBusy: settings.timeout)
        }
    }

    /// Runs a closure that only reads, in parallel with other readers and the writer.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let reader = try readers.withLock { $0.popLast() } ?? open()
        defer { readers.withLock { $0.append(reader) } }
        return try body(reader.database)
    }

    /// Returns a number that changes whenever another connection has committed.
    func changeMark() throws -> Int {
        try watcher.withLock { watcher in
            // Always the same connection: numbers of two connections can't be compared.
            let connection = try watcher ?? open()
            watcher = connection
            return try connection.database.integer("PRAGMA data_version")
        }
    }

    private func open() throws -> Connection {
        let database = try Database(path: path)
        try Self.prepare(database, settings)
        try database.run("PRAGMA query_only = ON")
        return Connection(database: database)
    }

    private static func prepare(_ database: Database, _ settings: SQLiteRunStore.Settings) throws {
        database.wait(forBusy: settings.timeout)
        switch settings.durability {
        case .full:
            try database.run("PRAGMA synchronous = FULL")
            // On Apple's systems a plain fsync may leave data in the disk's cache.
            try database.run("PRAGMA fullfsync = ON")
            // A commit that makes the log longer takes a third more than one that overwrites it: move it into the file
            // every 4 MB.
            try database.run("PRAGMA wal_autocheckpoint = 1000")
        case .normal:
            try database.run("PRAGMA synchronous = NORMAL")
            // Every 16 MB: a wide workflow writes the same pages many times.
            try database.run("PRAGMA wal_autocheckpoint = 4000")
        }
        // Detect damaged pages when they are read.
        try database.run("PRAGMA cell_size_check = ON")
        try database.run("PRAGMA journal_size_limit = 33554432")
        try database.run("PRAGMA cache_size = -16384")
    }
}

/// The gaps between writes, in which other processes can take the file's lock.
///
/// SQLite has no queue: a waiting process only looks for the lock, about every half millisecond. Without gaps, a writer
/// that begins each write right after the last one keeps the lock from the others.
private struct WriteGaps {
    private static let gap = Duration.milliseconds(1)
    /// The longest series of writes without a gap; the gaps take one percent of the time.
    private static let most = Duration.milliseconds(100)

    private var began = ContinuousClock.now  // the series
    private var ended = ContinuousClock.now  // its last write

    /// Sleeps for a gap before a write, if the series has become too long.
    mutating func beginWrite() {
        let now = ContinuousClock.now
        if now - ended >= Self.gap {
            began = now
        } else if now - began >= Self.most {
            Thread.sleep(forTimeInterval: Self.gap / .seconds(1))
            began = .now
        }
    }

    mutating func endWrite() { ended = .now }
}

/// The file is no longer at its path: writes to it would be lost.
struct FileMoved: Error, CustomStringConvertible {
    let description = "the file was moved or removed while it was in use"
}
