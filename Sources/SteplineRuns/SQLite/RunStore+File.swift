public import Foundation

extension RunStore where Self == SQLiteRunStore {
    /// Opens the store in a file; creates the file if it doesn't exist.
    ///
    /// A file that is no store, is damaged or comes from a newer version is refused and left unchanged.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - durability: The failures that a commit survives.
    ///   - timeout: The longest wait for another process that writes.
    ///   - retention: The age from which ended runs are removed; nil to keep them.
    ///   - insistsOnPlace: Whether to accept a network file system. Safe only if a single machine uses the store.
    /// - Returns: The store.
    /// - Throws: A `RunStoreError`.
    public static func file(
        _ path: String, durability: SQLiteRunStore.Durability = .full, timeout: Duration = .seconds(10),
        retention: Duration? = nil, insistsOnPlace: Bool = false
    ) throws -> SQLiteRunStore {
        try SQLiteRunStore(
            path: path, durability: durability, timeout: timeout, retention: retention,
            insistsOnPlace: insistsOnPlace)
    }

    /// Opens the store in a file by its URL; creates the file if it doesn't exist.
    ///
    /// - Throws: A `RunStoreError`.
    public static func file(
        _ url: URL, durability: SQLiteRunStore.Durability = .full, timeout: Duration = .seconds(10),
        retention: Duration? = nil, insistsOnPlace: Bool = false
    ) throws -> SQLiteRunStore {
        try SQLiteRunStore(
            path: url.path, durability: durability, timeout: timeout, retention: retention,
            insistsOnPlace: insistsOnPlace)
    }
}
