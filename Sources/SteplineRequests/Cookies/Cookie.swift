import Foundation
import SteplineSupport

/// A cookie as it is kept (RFC 6265).
struct Cookie: Sendable, Equatable {
    let name: String
    var value: String
    /// The host, or the domain whose hosts all get it; small letters, without a dot before it.
    let domain: String
    /// Whether it is for the host alone.
    let isHostOnly: Bool
    let path: String
    /// Nil for the end of the run.
    var expires: Date?
    var isSecure: Bool
    var isHTTPOnly: Bool

    /// What two cookies must have in common for the later one to replace the other.
    struct Identity: Hashable, Sendable {
        let name: String
        let domain: String
        let path: String
    }

    var identity: Identity { Identity(name: name, domain: domain, path: path) }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether it goes along to a place.
    func goes(to place: CookiePlace) -> Bool {
        (place.isSecure || !isSecure) && reaches(host: place.host) && covers(path: place.path)
    }

    private func reaches(host: String) -> Bool {
        host == domain || !isHostOnly && host.hasSuffix("." + domain)
    }

    private func covers(path asked: String) -> Bool {
        guard asked.begins(with: path) else { return false }
        return asked.utf8.count == path.utf8.count || path.ends(with: "/")
            || asked.utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
    }
}

/// What of a URL decides about cookies.
struct CookiePlace: Sendable {
    let host: String
    let path: String
    let isSecure: Bool

    /// Nil for a URL without a host.
    init?(_ url: URL) {
        guard let host = url.host()?.lowercased(), !host.isEmpty else { return nil }
        self.host = host
        let path = url.path(percentEncoded: true)
        self.path = path.begins(with: "/") ? path : "/"
        isSecure = url.scheme?.lowercased() == "https"
    }

    /// The directory of the path, for cookies that name none.
    var directory: String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether the host is a number, below which there are no others.
    var isAddress: Bool {
        host.contains(":") || host.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    }
}
