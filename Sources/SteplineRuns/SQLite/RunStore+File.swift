public import Foundation

extension RunStore where Self == SQLiteRunStore {
    /// The store in a file, which is made if there is none.
    ///
    /// A file that is no store, is damaged or comes from a later version is refused and left as it is, and so
    /// is a place on a network file system, unless you insist on it and use it from one machine alone.
    /// `durability` says what a commit outlives, `timeout` how long another process that writes is waited
    /// for.
    public static func file(
        _ path: String, durability: SQLiteRunStore.Durability = .full, timeout: Duration = .seconds(10),
        insistsOnPlace: Bool = false
    ) throws -> SQLiteRunStore {
        try SQLiteRunStore(
            path: path, durability: durability, timeout: timeout, insistsOnPlace: insistsOnPlace)
    }

    /// The store in a file, which is made if there is none; the same for a URL.
    public static func file(
        _ url: URL, durability: SQLiteRunStore.Durability = .full, timeout: Duration = .seconds(10),
        insistsOnPlace: Bool = false
    ) throws -> SQLiteRunStore {
        try SQLiteRunStore(
            path: url.path, durability: durability, timeout: timeout, insistsOnPlace: insistsOnPlace)
    }
}
