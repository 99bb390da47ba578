import Foundation

/// The cookies of a jar: a value that decides and does nothing.
struct CookieShelf: Sendable, Equatable {
    /// More of one domain, or in all, are not kept: the oldest go.
    private static let mostOfDomain = 180
    private static let mostInAll = 3000
    /// More of one response are not kept.
    private static let mostOfResponse = 64

    /// The cookies in the order in which they were made.
    private(set) var cookies: [Cookie] = []

    init(_ cookies: [Cookie] = []) {
        for cookie in cookies { put(cookie) }
    }

    /// The value of the `Cookie` header for a place; nil for none.
    func header(for place: CookiePlace, at now: Date) -> String? {
        let fitting = cookies.filter { !$0.isExpired(at: now) && $0.goes(to: place) }
        guard !fitting.isEmpty else { return nil }
        // Stable, so that of two equally long paths the older cookie comes first.
        let sorted = fitting.enumerated().sorted {
            ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
        }
        return sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }

    /// Reads the `Set-Cookie` lines of a response.
    static func read(_ lines: [String], from place: CookiePlace, at now: Date) -> [Cookie] {
        lines.prefix(mostOfResponse).compactMap { Cookie($0, from: place, at: now) }
    }

    /// Keeps a cookie in the place of the one it replaces; one that is over only removes it.
    ///
    /// `isFromTLS` says whether it may replace one that is for TLS.
    mutating func keep(_ cookie: Cookie, isFromTLS: Bool, at now: Date) {
        let old = cookies.firstIndex { $0.identity == cookie.identity }
        if let old, cookies[old].isSecure, !isFromTLS { return }
        if cookie.isExpired(at: now) {
            if let old { cookies.remove(at: old) }
            return
        }
        put(cookie)
        makeRoom(for: cookie.domain, at: now)
    }

    private mutating func put(_ cookie: Cookie) {
        if let old = cookies.firstIndex(where: { $0.identity == cookie.identity }) {
            cookies[old] = cookie
        } else {
            cookies.append(cookie)
        }
    }

    private mutating func makeRoom(for domain: String, at now: Date) {
        if cookies.count > Self.mostInAll { cookies.removeAll { $0.isExpired(at: now) } }
        if cookies.count > Self.mostInAll { cookies.removeFirst() }
        guard cookies.count > Self.mostOfDomain else { return }
        if cookies.reduce(0, { $0 + ($1.domain == domain ? 1 : 0) }) > Self.mostOfDomain,
            let oldest = cookies.firstIndex(where: { $0.domain == domain })
        {
            cookies.remove(at: oldest)
        }
    }
}
