public import Foundation
import SteplineSupport

/// A cookie jar, which stores cookies between requests.
///
/// By default the cookies are stored in memory, for one run of a pipeline or for one ``URLTaskManager``. They are never
/// written to disk, and runs don't share them. Copies of a jar share its cookies. Your own session uses its own cookies
/// instead.
public struct CookieJar: Sendable {
    package let storage: CookieStorage?

    /// Whether the jar is the default, which each run replaces with its own jar.
    package let isDefault: Bool

    private init(_ storage: CookieStorage?, isDefault: Bool = false) {
        self.storage = storage
        self.isDefault = isDefault
    }

    /// The default jar of options.
    package static var ofRun: CookieJar { CookieJar(CookieStorage(), isDefault: true) }

    /// Returns a new jar in memory, which all its copies share.
    public static func memory() -> CookieJar { CookieJar(CookieStorage()) }

    /// Returns a jar in a file in Netscape's format, as curl reads and writes it.
    ///
    /// The file is created with mode 0600 and read at the first use. It is written atomically after each load that
    /// changed it. Cookies that other processes have written meanwhile are kept. If the file can't be read or written,
    /// the load fails with ``RequestError/Code/storage``.
    ///
    /// - Parameter file: The file.
    /// - Returns: The jar.
    public static func file(_ file: URL) -> CookieJar {
        CookieJar(CookieStorage(file: CookieFile(file)))
    }

    /// A jar that stores no cookies; only your own `Cookie` headers are sent.
    public static let none = CookieJar(nil)
}

/// The cookies of one jar, shared by all its copies.
///
/// Loads call this object from any thread; the lock of the state is never held during file access. `read` loads the
/// file once. `save` merges the unsaved cookies into the file; one save runs at a time.
package final class CookieStorage: Sendable {
    private struct State {
        var shelf = CookieShelf()
        /// The cookies that were set since the last write, or that a failed write has left, in order.
        var unsaved: [Kept] = []
        var isRead = false
    }

    struct Kept: Sendable {
        let cookie: Cookie
        let isFromTLS: Bool
    }

    /// The maximum number of unsaved cookies while the file can't be written; the oldest are dropped.
    private static let mostUnsaved = 3000

    private let file: CookieFile?
    private let state = Locked(State())
    /// Held during a save: of two concurrent ones, the later would put back its older view of the file.
    ///
    /// The flag is only written: ThreadSanitizer takes a lock around no value for a race.
    private let isSaving = Locked(false)

    init(file: CookieFile? = nil) { self.file = file }

    /// Whether reading and saving the jar access a file.
    package var hasFile: Bool { file != nil }

    /// Whether the jar contains no cookies.
    package var isEmpty: Bool { state.withLock { $0.shelf.cookies.isEmpty } }

    /// Reads the file at the first call.
    func read() throws {
        guard let file, !state.withLock({ $0.isRead }) else { return }
        let shelf = try file.read()
        state.withLock { state in
            // Two loads may read concurrently: the first result counts, because it may have changed already.
            guard !state.isRead else { return }
            state.isRead = true
            state.shelf = shelf
        }
    }

    /// Returns the value of the `Cookie` header for a URL; nil for none.
    package func header(for url: URL, at now: Date = Date()) -> String? {
        // Most jars are empty: the parts of the URL aren't needed for them.
        guard !isEmpty, let place = CookiePlace(url) else { return nil }
        return state.withLock { $0.shelf.header(for: place, at: now) }
    }

    /// Returns the header like ``header(for:at:)``, and reads the file first; the transfer reports a read error.
    package func knownHeader(for url: URL?, at now: Date) -> String? {
        try? read()
        return url.flatMap { header(for: $0, at: now) }
    }

    /// Stores the cookies of a response.
    func store(_ lines: [String], from url: URL, at now: Date = Date()) {
        guard !lines.isEmpty, let place = CookiePlace(url) else { return }
        let new = CookieShelf.read(lines, from: place, at: now)
        state.withLock { state in
            for cookie in new {
                state.shelf.keep(cookie, isFromTLS: place.isSecure, at: now)
                // The origin is stored too: the merge into the file applies the same rules.
                if file != nil { state.unsaved.append(Kept(cookie: cookie, isFromTLS: place.isSecure)) }
            }
        }
    }

    /// Writes the unsaved cookies, without losing cookies that other processes have written.
    ///
    /// After an error the cookies stay unsaved: the next save writes them.
    func save(at now: Date = Date()) throws {
        guard let file, !state.withLock({ $0.unsaved.isEmpty }) else { return }
        try isSaving.withLock { isSaving in
            isSaving = true
            defer { isSaving = false }
            try save(to: file, at: now)
        }
    }

    private func save(to file: CookieFile, at now: Date) throws {
        // Take the unsaved cookies first: a cookie set during the write belongs to the next write.
        let unsaved = state.withLock { state in
            defer { state.unsaved = [] }
            return state.unsaved
        }
        guard !unsaved.isEmpty else { return }
        let merged: CookieShelf
        do {
            // Apply the changes to the file's current content, which another process may have changed.
            merged = try file.update(at: now) { shelf in
                for kept in unsaved { shelf.keep(kept.cookie, isFromTLS: kept.isFromTLS, at: now) }
            }
        } catch {
            state.withLock { $0.unsaved = Array((unsaved + $0.unsaved).suffix(Self.mostUnsaved)) }
            throw error
        }
        state.withLock { state in
            // Cookies set during the write override the written ones.
            state.shelf = merged
            for kept in state.unsaved { state.shelf.keep(kept.cookie, isFromTLS: kept.isFromTLS, at: now) }
        }
    }
}
