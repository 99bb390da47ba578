public import Foundation
import SteplineSupport

/// A store in one SQLite file, for the processes of one machine.
///
/// | file | content |
/// |---|---|
/// | `mirror.runs` | runs, steps, results up to 64 KiB |
/// | `mirror.runs-wal`, `mirror.runs-shm` | SQLite's log and its index, while the store is in use |
/// | `mirror.runs-owners` | locks of living owners, see `OwnerLocks` |
/// | `mirror.runs-blobs/` | larger results, one file each, named by SHA-256 |
///
/// The files belong together: move or copy all of them while no process uses the store. Only the user that created
/// the files can read them. Results and inputs are stored without encryption.
///
/// **Durability.** A method returns after its commit. With `Durability.full` a commit survives a power failure. Costs
/// one disk synchronization for each commit; `RunWriter` batches changes to keep the number of commits low.
///
/// **Threads.** All methods are thread-safe. Writers wait for each other, readers never wait.
public final class SQLiteRunStore: RunStore {
    /// The failures that a commit survives.
    public enum Durability: Sendable {
        /// A loss of power: every commit waits for the disk.
        case full
        /// The end of the process. A loss of power may undo the last commits, whose steps then run again.
        ///
        /// The store stays consistent in both cases.
        case normal
    }

    /// The settings of all connections of a store.
    struct Settings: Sendable {
        var durability: Durability
        var timeout: Duration
        var pageLimit: Int?
    }

    /// The name of the file.
    public let name: String
    /// The absolute path of the file.
    public let path: String
    /// The age from which ended runs are removed.
    public let retention: Duration?

    let connections: Connections  // one writer, several readers
    let owners: OwnerLocks  // locks on runs
    let blobs: BlobFolder  // results over 64 KiB

    /// Opens the store in a file, or creates it; equivalent to `.file(path)`.
    ///
    /// - Throws: A ``RunStoreError`` if the file is no store, is damaged, comes from a newer version, or can't be
    ///   opened there.
    public convenience init(
        path: String, durability: Durability = .full, timeout: Duration = .seconds(10),
        retention: Duration? = nil, insistsOnPlace: Bool = false
    ) throws {
        try self.init(
            path: path, durability: durability, timeout: timeout, retention: retention,
            insistsOnPlace: insistsOnPlace, pageLimit: nil)
    }

    /// Opens a store with a limited size, for tests of a full disk.
    ///
    /// `pageLimit` limits the pages of the file, `blobLimit` the bytes of one large result. `onlyReads` leaves an older
    /// layout as it is, and creates no file beside the store.
    package init(
        path: String, durability: Durability = .full, timeout: Duration = .seconds(10),
        retention: Duration? = nil, insistsOnPlace: Bool = false, pageLimit: Int?, blobLimit: Int = .max,
        onlyReads: Bool = false
    ) throws {
        name = path.lastName
        self.retention = retention
        let settings = Settings(durability: durability, timeout: timeout, pageLimit: pageLimit)
        // A local copy: `self` isn't initialized yet when the closure runs.
        let name = name
        (self.path, connections, owners) = try RunStoreError.translating(name) {
            // Check before any file is created.
            let file = try StoreFile(path)
            if !insistsOnPlace {
                try NetworkPlace.check(folder: file.path.outerFolder, store: name)
            }
            try file.prepare()
            let connections = try file.explainingCuts {
                let connections = try Connections(path: file.path, settings: settings)
                let later = try connections.layout(updating: !onlyReads)
                if later > Layout.version { throw StoreHeader.newer(later, store: name) }
                return connections
            }
            return (
                file.path, connections, try OwnerLocks(path: file.path + "-owners", creates: !onlyReads)
            )
        }
        blobs = BlobFolder(path: self.path + "-blobs", limit: blobLimit)
    }

    /// Opens a run; see ``RunStore/open(_:input:as:at:)``.
    ///
    /// - Throws: A ``RunStoreError``, with the code `inProgress` while another owner is alive.
    public func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        try RunStoreError.translating(name) {
            var taken: Int?
            do {
                let row = try connections.write { database in
                    // Insert and lock in one write transaction: another process can't remove the run in between.
                    let found = try RunRow.find(id, in: database)
                    let number =
                        try found?.number
                        ?? RunRow.insert(id, input: input, owner: owner, at: now, in: database)
                    guard try owners.take(number) else {
                        throw RunStoreError.inProgress(id, store: name, owner: found?.record.owner ?? owner)
                    }
                    // Record the lock before the next statement can throw.
                    taken = number
                    try RunRow.give(number, to: owner, in: database)
                    // Read the row again: it now has the new owner and the number of openings.
                    return try RunRow.find(id, in: database)
                }
                guard var row else { throw RunStoreError.noSuchRun(id, store: name) }
                row.record.isOpen = true
                return SQLiteOpenRun(row: row, store: self)
            } catch {
                // A failed commit leaves the lock without a row: release it.
                if let taken { owners.release(taken) }
                throw error
            }
        }
    }

    /// Creates a run for another process to open; returns false if it exists.
    ///
    /// - Throws: A ``RunStoreError`` if the file can't be written.
    public func create(_ id: RunID, input: Data?, by creator: RunOwner, at now: Date) throws -> Bool {
        try RunStoreError.translating(name) {
            try connections.write { database in
                guard try RunRow.find(id, in: database) == nil else { return false }
                _ = try RunRow.insert(id, input: input, owner: creator, at: now, in: database)
                return true
            }
        }
    }

    /// Stores a signal for the run; see ``RunStore/send(_:to:at:)``.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist.
    public func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        try RunStoreError.translating(name) {
            try connections.write { database in
                try SignalRow.insert(signal, run: try number(of: id, in: database), at: now, in: database)
            }
        }
    }

    /// Removes the signal of a condition; returns false if there is none.
    ///
    /// - Throws: A ``RunStoreError``, with the code `noSuchRun` if the run doesn't exist.
    public func withdraw(condition: String, of id: RunID) throws -> Bool {
        try RunStoreError.translating(name) {
            try connections.write { database in
                try SignalRow.remove(condition, of: try number(of: id, in: database), in: database)
            }
        }
    }

    func number(of id: RunID, in database: Database) throws -> Int {
        guard let row = try RunRow.find(id, in: database) else {
            throw RunStoreError.noSuchRun(id, store: name)
        }
        return row.number
    }
}
