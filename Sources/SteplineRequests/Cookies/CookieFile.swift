import Foundation
import SteplineSupport

/// The file of a jar.
struct CookieFile: Sendable {
    /// More bytes are no jar.
    private static let limit = 8 << 20

    private let url: URL

    init(_ url: URL) { self.url = url }

    /// The cookies in it; none if it isn't there.
    func read() throws -> CookieShelf {
        guard let data = try PlainFile.contents(of: url, limit: Self.limit) else { return CookieShelf() }
        return CookieShelf(netscape: String(decoding: data, as: UTF8.self))
    }

    /// Changes what is in it in one moment, one process after the other.
    func update(at now: Date, _ change: (inout CookieShelf) -> Void) throws -> CookieShelf {
        try PlainFile.locking(folderOf: url) {
            var shelf = try read()
            change(&shelf)
            try PlainFile.replace(url, with: Data(shelf.netscape(at: now).utf8), mode: 0o600)
            return shelf
        }
    }
}
