public import Foundation

/// A store of responses that are validated with the server before each reuse.
///
/// Responses without a validator (`ETag`, `Last-Modified`) or with `no-store` aren't stored. Requests never share a
/// response if they differ in `Authorization`, in `Cookie`, in their jar's cookies, or in a header that selects a
/// version.
public struct ResponseStore: Sendable {
    package let entries: any ResponseEntries

    /// Creates a store in memory.
    ///
    /// Copies of the value share the store; each call creates another store.
    ///
    /// - Parameter limit: The maximum size of all bodies in bytes; the oldest responses are removed first.
    /// - Returns: The store.
    public static func memory(limit: Int = 64 << 20) -> ResponseStore {
        ResponseStore(entries: MemoryEntries(limit: limit))
    }

    /// Creates a store in a directory, without a size limit.
    ///
    /// A damaged entry counts as absent. An entry that can't be written isn't stored; no error is thrown.
    ///
    /// - Parameter directory: The directory, which is created if necessary.
    /// - Returns: The store.
    public static func directory(_ directory: URL) -> ResponseStore {
        ResponseStore(entries: DirectoryEntries(directory: directory))
    }
}
