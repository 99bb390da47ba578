public import Foundation

/// Answers that are kept in a folder, and used again without asking for as long as their servers allow (RFC 9111).
///
/// What `Cache-Control`, `Expires`, `Age` and `Vary` say is kept to; an answer that isn't fresh any more is asked about
/// by `ETag` or `Last-Modified`. With `stale-if-error` an older one stands in when the server can't be reached, or
/// fails. Only answers to GET with status 200 are kept, no part of one, none that sets a cookie, and none behind a
/// redirect; requests that differ in `Authorization`, `Cookie` or one of ``LoadOptions/sensitiveHeaders`` never share one.
/// A request that changes things on its server, such as a POST, goes out with the same cache, and the answers for its
/// URL are forgotten. Processes may share the folder.
public struct HTTPCache: Sendable {
    package let folder: CacheFolder

    /// How long beyond its freshness an answer stands in for an error where its server says nothing; nil for not at
    /// all.
    public var staleIfError: Duration?

    /// Keeps answers in a folder, which is made if need be, with at most so many bytes in it: what hasn't been used for
    /// the longest time goes first.
    public static func folder(_ folder: URL, limit: Int = 256 << 20) -> HTTPCache {
        HTTPCache(folder: CacheFolder(folder, limit: limit))
    }

    init(folder: CacheFolder) { self.folder = folder }
}
