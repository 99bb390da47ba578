import Foundation
import SteplineSupport

/// A stored cookie (RFC 6265).
struct Cookie: Sendable, Equatable {
    let name: String
    var value: String
    /// The host, or the domain with all its hosts, in lowercase without a leading dot.
    let domain: String
    /// Whether the cookie is restricted to its host.
    let isHostOnly: Bool
    let path: String
    /// The expiry; nil for the end of the run.
    var expires: Date?
    var isSecure: Bool
    var isHTTPOnly: Bool

    /// The identity of a cookie: a new cookie replaces an old one with the same identity.
    struct Identity: Hashable, Sendable {
        let name: String
        let domain: String
        let path: String
    }

    var identity: Identity { Identity(name: name, domain: domain, path: path) }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Returns whether the cookie is sent to a place.
    func goes(to place: CookiePlace) -> Bool {
        (place.isSecure || !isSecure) && reaches(host: place.host) && covers(path: place.path)
    }

    private func reaches(host: String) -> Bool {
        // The dot prevents "badexample.com" from matching "example.com".
        host == domain || !isHostOnly && host.hasSuffix("." + domain)
    }

    private func covers(path asked: String) -> Bool {
        // Compared by scalars, because a combining mark must not change a path.
        guard asked.begins(with: path) else { return false }
        // A path matches itself and the paths below it: "/a" doesn't match "/ab".
        return asked.utf8.count == path.utf8.count || path.ends(with: "/")
            || asked.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
    }
}

/// The parts of a URL that select cookies.
struct CookiePlace: Sendable {
    let host: String
    let path: String
    let isSecure: Bool

    /// Creates a place; nil for a URL without a host.
    init?(_ url: URL) {
        guard let host = url.host()?.lowercased(), !host.isEmpty else { return nil }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.begins(with: "/") ? path : "/"
        isSecure = url.scheme?.lowercased() == "https"
    }

    /// The directory of the path, the default path of cookies.
    var directory: String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether the host is an IP address, which has no subdomains.
    var isAddress: Bool {
        host.contains(":") || host.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    }
}
