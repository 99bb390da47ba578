public import Foundation

/// Where answers are kept, so that a server is only asked whether they have changed.
///
/// What has no validator (`ETag`, `Last-Modified`), or says `no-store`, isn't kept. Requests that differ in
/// `Authorization`, in `Cookie` or the cookies of their jar, or in a header that chooses among versions never
/// share an answer.
public struct ResponseStore: Sendable {
    package let entries: any ResponseEntries

    /// Keeps answers in memory, at most so many bytes of bodies: the oldest go first.
    ///
    /// Copies of the value share what is kept; each call makes another store.
    public static func memory(limit: Int = 64 << 20) -> ResponseStore {
        ResponseStore(entries: MemoryEntries(limit: limit))
    }

    /// Keeps answers in a directory, which is made if need be, without a limit.
    ///
    /// An entry that is damaged counts as none. One that can't be written is not kept, and nothing fails.
    public static func directory(_ directory: URL) -> ResponseStore {
        ResponseStore(entries: DirectoryEntries(directory: directory))
    }
}
