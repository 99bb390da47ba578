import SteplineSupport

/// The connections of a store to its file: one that writes, and as many that read as are reading at once.
final class Connections: Sendable {
    private struct Connection: @unchecked Sendable {  // a lock or whoever took it from the pool protects it
        let database: Database
    }

    private let path: String
    private let settings: SQLiteRunStore.Settings
    private let writer: Locked<Connection>
    private let readers = Locked<[Connection]>([])
    /// One that is asked for nothing but whether others have changed something: the number belongs to it.
    private let watcher = Locked<Connection?>(nil)

    init(path: String, settings: SQLiteRunStore.Settings) throws {
        self.path = path
        self.settings = settings
        let database = try Database(path: path)
        try Self.prepare(database, settings)
        if let pages = settings.pageLimit { try database.limit(toPages: pages) }
        writer = Locked(Connection(database: database))
    }

    /// Brings the file's layout up to the present one; gives the one that it has if that is later.
    func update() throws -> Int? {
        try writer.withLock { writer in
            let layout = try Layout.layout(of: writer.database)
            if layout < Layout.version { try Layout.update(writer.database) }
            return layout > Layout.version ? layout : nil
        }
    }

    /// Does something in one transaction that writes.
    func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try writer.withLock { writer in
            let database = writer.database
            if database.hasMoved { throw FileMoved() }
            return try database.transaction { try body(database) }
        }
    }

    /// Does something that can't be in a transaction.
    func maintain(_ body: (Database) throws -> Void) throws {
        try writer.withLock { try body($0.database) }
    }

    /// Does something that only reads; others may read and write meanwhile.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let reader = try readers.withLock { $0.popLast() } ?? open()
        defer { readers.withLock { $0.append(reader) } }
        return try body(reader.database)
    }

    /// A number that is another one once somebody has committed something since it was last asked for.
    func changeMark() throws -> Int {
        try watcher.withLock { watcher in
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
            // On Apple's systems, what is synced else may still be in the disk's own memory.
            try database.run("PRAGMA fullfsync = ON")
        case .normal: try database.run("PRAGMA synchronous = NORMAL")
        }
        try database.run("PRAGMA cell_size_check = ON")
        // The log goes into the file every 16 MB, in place of 4: a wide group touches many pages, and often
        // the same.
        try database.run("PRAGMA wal_autocheckpoint = 4000")
        try database.run("PRAGMA journal_size_limit = 33554432")
        try database.run("PRAGMA cache_size = -16384")
    }
}

/// The file isn't at its path any more: what is written to it is lost.
struct FileMoved: Error, CustomStringConvertible {
    let description = "the file was moved or removed while it was in use"
}
