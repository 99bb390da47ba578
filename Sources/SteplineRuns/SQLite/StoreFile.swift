import CSQLite
import Foundation
import SteplineSupport

/// The file of a store: its location and its validity.
struct StoreFile {
    /// The name of the store in errors.
    let name: String
    /// The absolute path without symbolic links, so that all processes derive the same names for the files beside it.
    let path: String

    init(_ path: String) throws {
        name = path.lastName
        let folder = path.outerFolder
        if let whole = Self.real(path) {
            self.path = whole
        } else if let folder = Self.real(folder.isEmpty ? "." : folder) {
            // The file doesn't exist yet, so `realpath` works for its folder only.
            self.path = (folder == "/" ? "" : folder) + "/" + name
        } else {
            throw RunStoreError(
                .unavailable, store: name, "its folder can't be found", underlying: SystemFailure("realpath"))
        }
    }

    /// Creates the store if it doesn't exist, and checks it.
    func prepare() throws {
        if try !isThere() { try make() }
        // Check new files too: another process may have created the file meanwhile.
        try check()
    }

    private func isThere() throws -> Bool {
        var information = stat()
        guard stat(path, &information) == 0 else {
            if errno == ENOENT { return false }
            throw SystemFailure("stat")
        }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw RunStoreError(.notAStore, store: name, "it isn't a file")
        }
        return true
    }

    /// Checks the file without changing anything.
    private func check() throws {
        guard let size = Self.size(path), size > 0 else {
            throw RunStoreError(
                .notAStore, store: name, "it is empty, which no store is; it is left as it is")
        }
        // Looked for before the size is read: without a log, every checkpoint has written its last page whole.
        let hasLog = hasLog
        try header().check(size: hasLog ? nil : Self.size(path), store: name)
    }

    private func header() throws -> StoreHeader {
        // Read-only: a file that is no store must not gain a log or locks.
        StoreHeader(try Database(path: path, readOnly: true).start(100))
    }

    private var hasLog: Bool { Self.size(path + "-wal") ?? 0 > 0 }

    /// Runs a closure that connects to the file, and tells from its error whether the file is cut.
    ///
    /// Only for a file that SQLite has refused: a sound file is shorter than its header says, too, while another
    /// connection moves its log into the file. SQLite opens the log before it looks for missing pages, so its error may
    /// be about the log.
    func explainingCuts<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteFailure where !error.isBusy {
            guard !hasLog, let whole = try? header().size, let size = Self.size(path), size < whole else {
                throw error
            }
            throw RunStoreError(.damaged, store: name, StoreHeader.cut(whole, to: size), underlying: error)
        }
    }

    /// Creates the store under a temporary name, then links it to its own.
    ///
    /// A process that dies in between leaves no incomplete store.
    private func make() throws {
        let temporary = "\(path).new-\(UUID().uuidString)"
        // Clean up in every case; after success only the temporary name is removed.
        defer { for end in ["", "-journal", "-wal", "-shm"] { unlink(temporary + end) } }
        let file = try SyncedFile(creating: temporary)
        do {
            let database = try Database(path: temporary)
            // Nothing is lost with a file that has no name yet: it is synchronized once, when it is complete.
            try database.run("PRAGMA synchronous = OFF")
            try Layout.make(in: database)
        }
        try file.sync()
        // Unlike rename, `link` doesn't replace a store that another process has created meanwhile.
        if link(temporary, path) != 0, errno != EEXIST {
            // Some file systems have no hard links.
            guard rename(temporary, path) == 0 else { throw SystemFailure("rename") }
        }
        // Make the new name durable.
        try SyncedFile.syncFolder(path.outerFolder)
    }

    private static func size(_ path: String) -> Int? {
        var information = stat()
        return stat(path, &information) == 0 ? Int(information.st_size) : nil
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
