public import Foundation
import SteplineSupport

/// A store in one file, for the processes of one machine, by SQLite.
///
/// Beside the file `mirror.runs` lie `mirror.runs-wal` and `mirror.runs-shm` while it is in use,
/// `mirror.runs-owners`, by which living owners are known, and `mirror.runs-blobs` with the results over 64
/// KB. All belong to one store: they are moved and copied together, while nobody uses them. Only the user who
/// made them may read them; results and inputs are kept as they are given.
public final class SQLiteRunStore: RunStore {
    /// What a commit outlives.
    public enum Durability: Sendable {
        /// Also the loss of power: every commit waits for the disk.
        case full
        /// The end of the process, however it comes. The last commits may be lost with the machine, and their
        /// steps are run again; what is kept is whole.
        case normal
    }

    /// What holds for all connections of a store.
    struct Settings: Sendable {
        var durability: Durability
        var timeout: Duration
        var pageLimit: Int?
    }

    /// The name of its file.
    public let name: String
    /// Where it is.
    public let path: String

    let connections: Connections
    let owners: OwnerLocks
    let blobs: BlobFolder

    /// Opens the store in a file, or makes it; the same as `.file(path)`.
    public convenience init(
        path: String, durability: Durability = .full, timeout: Duration = .seconds(10),
        insistsOnPlace: Bool = false
    ) throws {
        try self.init(
            path: path, durability: durability, timeout: timeout, insistsOnPlace: insistsOnPlace,
            pageLimit: nil)
    }

    /// A store whose disk is full at so many pages of its file, and so many bytes of a large result.
    package init(
        path: String, durability: Durability = .full, timeout: Duration = .seconds(10),
        insistsOnPlace: Bool = false, pageLimit: Int?, blobLimit: Int = .max
    ) throws {
        name = path.lastName
        let settings = Settings(durability: durability, timeout: timeout, pageLimit: pageLimit)
        let name = name
        (self.path, connections, owners) = try RunStoreError.translating(name) {
            let file = try StoreFile(path)
            if !insistsOnPlace {
                try NetworkPlace.check(folder: file.path.outerFolder, store: name)
            }
            try file.prepare()
            let connections = try Connections(path: file.path, settings: settings)
            if let later = try connections.update() { throw StoreHeader.newer(later, store: name) }
            return (file.path, connections, try OwnerLocks(path: file.path + "-owners"))
        }
        blobs = BlobFolder(path: self.path + "-blobs", limit: blobLimit)
    }

    /// Becomes the owner of a run; see ``RunStore/open(_:input:as:at:)``.
    public func open(_ id: RunID, input: Data?, as owner: RunOwner, at now: Date) throws -> any OpenRun {
        try RunStoreError.translating(name) {
            var taken: Int?
            do {
                let row = try connections.write { database in
                    let found = try RunRow.find(id, in: database)
                    let number =
                        try found?.number
                        ?? RunRow.insert(id, input: input, owner: owner, at: now, in: database)
                    guard try owners.take(number) else {
                        throw RunStoreError.inProgress(id, store: name, owner: found?.record.owner ?? owner)
                    }
                    taken = number
                    try RunRow.give(number, to: owner, in: database)
                    return try RunRow.find(id, in: database)
                }
                guard var row else { throw RunStoreError.noSuchRun(id, store: name) }
                row.record.isOpen = true
                return SQLiteOpenRun(row: row, store: self)
            } catch {
                if let taken { owners.release(taken) }
                throw error
            }
        }
    }

    /// Leaves word for the run; see ``RunStore/send(_:to:at:)``.
    public func send(_ signal: RunSignal, to id: RunID, at now: Date) throws -> Bool {
        try RunStoreError.translating(name) {
            try connections.write { database in
                try SignalRow.insert(signal, run: try number(of: id, in: database), at: now, in: database)
            }
        }
    }

    /// Removes the word that a condition is fulfilled; false if there is none.
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
