import Foundation

/// The cookies of a jar, as a value that makes all decisions.
struct CookieShelf: Sendable, Equatable {
    /// The maximum numbers of cookies per domain and in total; the oldest are evicted.
    private static let mostOfDomain = 180
    private static let mostInAll = 3000
    /// The maximum number of cookies per response.
    private static let mostOfResponse = 64

    /// The cookies in order of creation.
    private(set) var cookies: [Cookie] = []

    init(_ cookies: [Cookie] = []) {
        for cookie in cookies { put(cookie) }
    }

    /// Returns the value of the `Cookie` header for a place; nil for none.
    func header(for place: CookiePlace, at now: Date) -> String? {
        let fitting = cookies.filter { !$0.isExpired(at: now) && $0.goes(to: place) }
        guard !fitting.isEmpty else { return nil }
        // A stable sort: of two equally long paths, the older cookie comes first.
        let sorted = fitting.enumerated().sorted {
            ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
        }
        return sorted.map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }

    /// Parses the `Set-Cookie` lines of a response.
    static func read(_ lines: [String], from place: CookiePlace, at now: Date) -> [Cookie] {
        lines.prefix(mostOfResponse).compactMap { Cookie($0, from: place, at: now) }
    }

    /// Stores a cookie, and replaces the cookie with the same identity; an expired cookie only removes the old one.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - isFromTLS: Whether the cookie came over TLS and may replace a cookie that is restricted to TLS.
    ///   - now: The current time.
    mutating func keep(_ cookie: Cookie, isFromTLS: Bool, at now: Date) {
        let old = cookies.firstIndex { $0.identity == cookie.identity }
        // A network attacker must not replace a secure cookie over plain HTTP.
        if let old, cookies[old].isSecure, !isFromTLS { return }
        if cookie.isExpired(at: now) {
            // Servers delete a cookie by setting it with a date in the past.
            if let old { cookies.remove(at: old) }
            return
        }
        put(cookie)
        makeRoom(for: cookie.domain, at: now)
    }

    private mutating func put(_ cookie: Cookie) {
        if let old = cookies.firstIndex(where: { $0.identity == cookie.identity }) {
            // The replaced cookie keeps its place, and with it its time of creation.
            cookies[old] = cookie
        } else {
            cookies.append(cookie)
        }
    }

    private mutating func makeRoom(for domain: String, at now: Date) {
        // Expired cookies go first; only then the oldest one.
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
