import CSQLite
import Foundation
import SteplineSupport

/// The file of a store: where it is, and whether it may be one.
struct StoreFile {
    /// How errors name the store.
    let name: String
    /// Its absolute path, without links, so that all who open it agree on the names of the files beside it.
    let path: String

    init(_ path: String) throws {
        name = path.lastName
        let folder = path.outerFolder
        if let whole = Self.real(path) {
            self.path = whole
        } else if let folder = Self.real(folder.isEmpty ? "." : folder) {
            self.path = (folder == "/" ? "" : folder) + "/" + name
        } else {
            throw RunStoreError(
                .unavailable, store: name, "its folder can't be found", underlying: SystemFailure("realpath"))
        }
    }

    /// The store that is there, checked, or a new one.
    func prepare() throws {
        if try !isThere() { try make() }
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

    /// Looks at the file without changing anything.
    private func check() throws {
        guard let size = Self.size(path), size > 0 else {
            throw RunStoreError(
                .notAStore, store: name, "it is empty, which no store is; it is left as it is")
        }
        let database = try Database(path: path, readOnly: true)
        let hasLog = Self.size(path + "-wal") ?? 0 > 0
        try StoreHeader(try database.start(100)).check(size: hasLog ? nil : size, store: name)
    }

    /// Makes a store under another name first: what stands at its own is whole, or nothing.
    private func make() throws {
        let temporary = "\(path).new-\(UUID().uuidString)"
        defer { for end in ["", "-journal", "-wal", "-shm"] { unlink(temporary + end) } }
        try SyncedFile(creating: temporary).sync()
        do {
            let database = try Database(path: temporary)
            try Layout.make(in: database)
        }
        // Unlike a renaming, it leaves alone what somebody else has made meanwhile.
        if link(temporary, path) != 0, errno != EEXIST {
            // Not every file system knows links.
            guard rename(temporary, path) == 0 else { throw SystemFailure("rename") }
        }
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
