public import Foundation
import SteplineSupport

/// Where cookies are kept between requests.
///
/// By default they are kept in memory, for one run of a pipeline, or for one ``URLTaskManager``: nothing of them is on
/// the disk, and no two runs share any. Copies of a jar are the same jar. A session of one's own has its own cookies.
public struct CookieJar: Sendable {
    package let storage: CookieStorage?

    /// Whether it was made by nobody's wish, so that a run puts its own in its place.
    package let isDefault: Bool

    private init(_ storage: CookieStorage?, isDefault: Bool = false) {
        self.storage = storage
        self.isDefault = isDefault
    }

    /// What options have unless told otherwise.
    package static var ofRun: CookieJar { CookieJar(CookieStorage(), isDefault: true) }

    /// A new jar in memory, shared by all who are given it.
    public static func memory() -> CookieJar { CookieJar(CookieStorage()) }

    /// A jar in a file of Netscape's format, as curl reads and writes it.
    ///
    /// The file is made with the mode 0600, read when it is first needed, and written when a load has ended that
    /// changed it, in one moment. Cookies that other processes have put there meanwhile stay. A file that can't be read
    /// or written fails the load with ``RequestError/Code/storage``.
    public static func file(_ file: URL) -> CookieJar {
        CookieJar(CookieStorage(file: CookieFile(file)))
    }

    /// No cookies are kept, and none are sent but those of a header of one's own.
    public static let none = CookieJar(nil)
}

/// The cookies of one jar, shared by all that has it.
package final class CookieStorage: Sendable {
    private struct State {
        var shelf = CookieShelf()
        /// What has been set since the file was last written, in order.
        var unsaved: [Kept] = []
        var isRead = false
    }

    struct Kept: Sendable {
        let cookie: Cookie
        let isFromTLS: Bool
    }

    private let file: CookieFile?
    private let state = Locked(State())

    init(file: CookieFile? = nil) { self.file = file }

    /// Whether there is nothing in it.
    package var isEmpty: Bool { state.withLock { $0.shelf.cookies.isEmpty } }

    /// Reads the file, if that is still to be done.
    func read() throws {
        guard let file, !state.withLock({ $0.isRead }) else { return }
        let shelf = try file.read()
        state.withLock { state in
            guard !state.isRead else { return }
            state.isRead = true
            state.shelf = shelf
        }
    }

    /// The value of the `Cookie` header for a URL; nil for none.
    package func header(for url: URL, at now: Date = Date()) -> String? {
        guard let place = CookiePlace(url) else { return nil }
        return state.withLock { state in
            state.shelf.cookies.isEmpty ? nil : state.shelf.header(for: place, at: now)
        }
    }

    /// The same of a jar whose file may not have been read yet; if that fails, the transfer will say so.
    package func knownHeader(for url: URL?, at now: Date) -> String? {
        try? read()
        return url.flatMap { header(for: $0, at: now) }
    }

    /// Keeps the cookies of a response.
    func store(_ lines: [String], from url: URL, at now: Date = Date()) {
        guard !lines.isEmpty, let place = CookiePlace(url) else { return }
        let new = CookieShelf.read(lines, from: place, at: now)
        state.withLock { state in
            for cookie in new {
                state.shelf.keep(cookie, isFromTLS: place.isSecure, at: now)
                if file != nil { state.unsaved.append(Kept(cookie: cookie, isFromTLS: place.isSecure)) }
            }
        }
    }

    /// Writes what has been set since the last time; with nobody's cookies lost that others have written.
    func save(at now: Date = Date()) throws {
        guard let file else { return }
        let unsaved = state.withLock { state in
            defer { state.unsaved = [] }
            return state.unsaved
        }
        guard !unsaved.isEmpty else { return }
        let merged = try file.update(at: now) { shelf in
            for kept in unsaved { shelf.keep(kept.cookie, isFromTLS: kept.isFromTLS, at: now) }
        }
        state.withLock { state in
            // What has come meanwhile is on top of what is written.
            state.shelf = merged
            for kept in state.unsaved { state.shelf.keep(kept.cookie, isFromTLS: kept.isFromTLS, at: now) }
        }
    }
}
