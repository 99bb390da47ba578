import Foundation
import SteplineSupport

/// The file of a cookie jar.
struct CookieFile: Sendable {
    /// The maximum size of a cookie file in bytes.
    private static let limit = 8 << 20

    private let url: URL

    init(_ url: URL) { self.url = url }

    /// Returns the cookies in the file; none if the file doesn't exist.
    func read() throws -> CookieShelf {
        guard let data = try PlainFile.contents(of: url, limit: Self.limit) else { return CookieShelf() }
        return CookieShelf(netscape: String(decoding: data, as: UTF8.self))
    }

    /// Changes the file atomically; processes exclude each other with a lock.
    func update(at now: Date, _ change: (inout CookieShelf) -> Void) throws -> CookieShelf {
        // Read inside the lock: another process may have changed the file since the last read.
        try PlainFile.locking(folderOf: url) {
            var shelf = try read()
            change(&shelf)
            // Atomic, so a reader without the lock never sees half a file.
            try PlainFile.replace(url, with: Data(shelf.netscape(at: now).utf8), mode: 0o600)
            return shelf
        }
    }
}
