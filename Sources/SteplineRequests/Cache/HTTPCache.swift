public import Foundation

/// A cache of responses in a folder, which reuses responses as long as their servers allow (RFC 9111).
///
/// The cache follows `Cache-Control`, `Expires`, `Age` and `Vary`. It validates stale responses with `ETag` or
/// `Last-Modified`. With `stale-if-error`, a stale response replaces an error of the server or the connection.
///
/// Only complete responses to GET with status 200 are stored, without `Set-Cookie` and without a redirect. Requests
/// with different `Authorization`, `Cookie` or ``LoadOptions/sensitiveHeaders`` never share a response. A request that
/// changes the resource, such as a POST, removes the responses for its URL. Several processes may share the folder.
public struct HTTPCache: Sendable {
    package let folder: CacheFolder

    /// The time beyond its freshness that a response may replace an error, if the server names none; nil disables this.
    public var staleIfError: Duration?

    /// Creates a cache in a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder, which is created if necessary.
    ///   - limit: The maximum number of bytes; the least recently used responses are evicted first.
    /// - Returns: The cache.
    public static func folder(_ folder: URL, limit: Int = 256 << 20) -> HTTPCache {
        HTTPCache(folder: CacheFolder(folder, limit: limit))
    }

    init(folder: CacheFolder) { self.folder = folder }
}
