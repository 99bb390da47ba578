package import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// The folder of a cache, with one file per response: a line of JSON, then the body.
///
/// Any thread and any process may use the folder. Files are replaced atomically, and evicted under the folder's lock. A
/// damaged entry counts as absent. A write error means that the response isn't kept; no error is thrown.
///
/// Reading and storing cost one file access. Evicting reads the whole folder; it happens once per sixteenth of the
/// limit in written bytes.
package final class CacheFolder: Sendable {
    private struct Head: Codable {
        let name: String
        let count: Int
        let checksum: UInt64
        let response: CachedResponse
    }

    private static let suffix = ".cached"

    private let url: URL
    private let limit: Int
    /// The number of bytes written since the last eviction; the initial maximum forces an eviction at the first write.
    private let written = Locked(Int.max)

    init(_ url: URL, limit: Int) {
        self.url = url
        self.limit = max(limit, 0)
    }

    private func file(_ name: String) -> URL { url.appending(path: name + Self.suffix) }

    /// Returns the file name for a request's response; nil if the response must not be cached.
    ///
    /// The name is a hash, because the URL and headers may be secret. Names for one URL have the same beginning.
    /// Requests with different sensitive headers have different names.
    package static func name(of request: URLRequest, cookie: String?, sensitive: Set<String>) -> String? {
        let own = [
            "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
        ]
        // A conditional or partial request belongs to the caller: its response isn't the whole resource.
        guard (request.httpMethod ?? "GET") == "GET", request.httpBody == nil, let url = request.url,
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
            own.allSatisfy({ request.value(forHTTPHeaderField: $0) == nil })
        else { return nil }
        // Two users of one URL must never share a response.
        let bound = Set(sensitive.map { $0.lowercased() }).union(["authorization", "cookie"])
        let secrets = bound.sorted().compactMap { header in
            request.value(forHTTPHeaderField: header).map { "\(header): \($0)" }
        }
        let text = ([url.absoluteString, cookie ?? ""] + secrets).joined(separator: "\n")
        return mark(of: url)
            // Two hashes with different seeds: 128 bits make an accidental collision negligible.
            + [UInt64(14_695_981_039_346_656_037), 7_809_847_782_465_536_322]
            .map { String(checksum(of: Data(text.utf8), seed: $0), radix: 16) }.joined(separator: "-")
    }

    /// Returns the beginning of all names for a URL.
    private static func mark(of url: URL) -> String {
        let text = Data(url.absoluteString.utf8)
        return String(checksum(of: text, seed: 14_695_981_039_346_656_037), radix: 16) + "-"
    }

    /// Removes the responses of all users for a URL.
    package func forget(_ url: URL) {
        // No folder yet: nothing was stored.
        guard let folder = try? Folder(self.url.path(percentEncoded: false)) else { return }
        for name in folder.names(from: Self.mark(of: url), to: Self.suffix) { folder.remove(name) }
    }

    /// Returns the response with this name, if it matches the request.
    package func answer(_ name: String, to request: URLRequest) -> CachedResponse? {
        let file = file(name)
        // The body follows the first line feed, which JSON on one line never contains.
        guard let data = try? PlainFile.contents(of: file, limit: limit), let end = data.firstIndex(of: 10),
            let head = try? JSONDecoder().decode(Head.self, from: data[..<end]), head.name == name
        else { return nil }
        let body = Data(data[data.index(after: end)...])
        // A crash or a disk error may have cut or changed the file.
        guard body.count == head.count, checksum(of: body) == head.checksum, head.response.fits(request)
        else {
            return nil
        }
        // The modification time records the last use for the eviction.
        utimensat(AT_FDCWD, file.path(percentEncoded: false), nil, 0)
        var response = head.response
        response.body = body
        return response
    }

    /// Stores a response under a name; nil removes the entry.
    package func keep(_ answer: CachedResponse?, as name: String) {
        // Too large, or not encodable: remove the older response instead.
        guard let answer, let data = encoded(answer, name), data.count <= limit else {
            unlink(file(name).path(percentEncoded: false))
            return
        }
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        do {
            // Mode 0600: responses may contain private data.
            try PlainFile.replace(file(name), with: data, mode: 0o600)
        } catch {
            // The present file belongs to an older response and must not be used as this one.
            unlink(file(name).path(percentEncoded: false))
        }
        // Evicting after each response would cost more than the responses.
        let isDue = written.withLock { written in
            written = written == .max ? .max : written + data.count
            let isDue = written > limit / 16
            if isDue { written = 0 }
            return isDue
        }
        if isDue { makeRoom() }
    }

    private func encoded(_ answer: CachedResponse, _ name: String) -> Data? {
        let head = Head(
            name: name, count: answer.body.count, checksum: checksum(of: answer.body), response: answer)
        guard var data = try? JSONEncoder().encode(head) else { return nil }
        data.append(10)
        data.append(answer.body)
        return data
    }

    /// Removes the least recently used entries until the rest fits into the limit.
    private func makeRoom() {
        // The lock excludes evictions by other processes; a failure only delays the eviction.
        _ = try? PlainFile.locking(folderOf: file("x")) {
            let folder = try Folder(url.path(percentEncoded: false))
            var size = 0
            var files: [(name: String, size: Int, used: Date)] = []
            for name in folder.names(from: "", to: Self.suffix) {
                guard let status = try folder.status(of: name), status.st_mode & S_IFMT == S_IFREG else {
                    continue
                }
                // `answer` updates this time at each use.
                let used = Date(timeIntervalSince1970: status.secondsOfChange)
                files.append((name, Int(status.st_size), used))
                size += Int(status.st_size)
            }
            for file in files.sorted(by: { $0.used < $1.used }) {
                // Free a sixteenth more than needed, so a full folder isn't evicted after each response.
                guard size > limit - limit / 16 else { break }
                folder.remove(file.name)
                size -= file.size
            }
        }
    }
}

extension stat {
    fileprivate var secondsOfChange: Double {
        #if canImport(Darwin)
            let time = st_mtimespec
        #else
            let time = st_mtim
        #endif
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
