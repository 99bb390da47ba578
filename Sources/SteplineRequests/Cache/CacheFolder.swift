package import Foundation
import SteplineSupport

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// The folder of a cache: each answer a file, a line that describes it and the body.
///
/// Files are replaced in one moment, and removed under the folder's lock. An entry that is damaged counts as none; one
/// that can't be written is not kept, and nothing fails.
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
    /// How many bytes have been written since the folder was last looked through.
    private let written = Locked(Int.max)

    init(_ url: URL, limit: Int) {
        self.url = url
        self.limit = max(limit, 0)
    }

    private func file(_ name: String) -> URL { url.appending(path: name + Self.suffix) }

    /// The name under which the answer to a request is kept; nil for a request whose answer isn't.
    ///
    /// It doesn't tell what it is made of, as that may be secret. Those of one URL begin alike. Requests that differ in
    /// a sensitive header have different ones.
    package static func name(of request: URLRequest, cookie: String?, sensitive: Set<String>) -> String? {
        let own = [
            "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
        ]
        guard (request.httpMethod ?? "GET") == "GET", request.httpBody == nil, let url = request.url,
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""),
            own.allSatisfy({ request.value(forHTTPHeaderField: $0) == nil })
        else { return nil }
        let bound = Set(sensitive.map { $0.lowercased() }).union(["authorization", "cookie"])
        let secrets = bound.sorted().compactMap { header in
            request.value(forHTTPHeaderField: header).map { "\(header): \($0)" }
        }
        let text = ([url.absoluteString, cookie ?? ""] + secrets).joined(separator: "\n")
        return mark(of: url)
            + [UInt64(14_695_981_039_346_656_037), 7_809_847_782_465_536_322]
            .map { String(checksum(of: Data(text.utf8), seed: $0), radix: 16) }.joined(separator: "-")
    }

    /// What the names of all answers for a URL begin with.
    private static func mark(of url: URL) -> String {
        let text = Data(url.absoluteString.utf8)
        return String(checksum(of: text, seed: 14_695_981_039_346_656_037), radix: 16) + "-"
    }

    /// Removes all answers for a URL, whomever they were for.
    package func forget(_ url: URL) {
        guard let folder = try? Folder(self.url.path(percentEncoded: false)) else { return }
        for name in folder.names(from: Self.mark(of: url), to: Self.suffix) { folder.remove(name) }
    }

    /// The answer under a name, if it fits the request.
    package func answer(_ name: String, to request: URLRequest) -> CachedResponse? {
        let file = file(name)
        guard let data = try? PlainFile.contents(of: file, limit: limit), let end = data.firstIndex(of: 10),
            let head = try? JSONDecoder().decode(Head.self, from: data[..<end]), head.name == name
        else { return nil }
        let body = Data(data[data.index(after: end)...])
        guard body.count == head.count, checksum(of: body) == head.checksum, head.response.fits(request)
        else {
            return nil
        }
        // By that the folder knows what hasn't been used for long.
        utimensat(AT_FDCWD, file.path(percentEncoded: false), nil, 0)
        var response = head.response
        response.body = body
        return response
    }

    /// Keeps an answer under a name; nil removes what is there.
    package func keep(_ answer: CachedResponse?, as name: String) {
        guard let answer, let data = encoded(answer, name), data.count <= limit else {
            unlink(file(name).path(percentEncoded: false))
            return
        }
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        do {
            try PlainFile.replace(file(name), with: data, mode: 0o600)
        } catch {
            // What was there is of an earlier answer, and must not be taken for this one.
            unlink(file(name).path(percentEncoded: false))
        }
        // Looking through the folder for each answer would cost more than the answers.
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

    /// Removes what hasn't been used for the longest time until the rest is within the limit.
    private func makeRoom() {
        _ = try? PlainFile.locking(folderOf: file("x")) {
            let folder = try Folder(url.path(percentEncoded: false))
            var size = 0
            var files: [(name: String, size: Int, used: Date)] = []
            for name in folder.names(from: "", to: Self.suffix) {
                guard let status = try folder.status(of: name), status.st_mode & S_IFMT == S_IFREG else {
                    continue
                }
                let used = Date(timeIntervalSince1970: status.secondsOfChange)
                files.append((name, Int(status.st_size), used))
                size += Int(status.st_size)
            }
            for file in files.sorted(by: { $0.used < $1.used }) {
                // Some room is made ahead, so that this isn't done for each answer of a full folder.
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
