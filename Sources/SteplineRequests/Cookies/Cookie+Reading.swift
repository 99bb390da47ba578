import Foundation
import SteplineSupport

extension Cookie {
    /// The maximum lifetime of a cookie.
    private static let longest: Double = 400 * 86_400
    /// The maximum length of a `Set-Cookie` line.
    private static let longestLine = 4096

    /// Parses a `Set-Cookie` line; nil for an invalid cookie, or a cookie that the place must not set.
    init?(_ line: String, from place: CookiePlace, at now: Date) {
        let parts = line.parts(between: ";")
        guard line.utf8.count <= Self.longestLine, let (name, value) = parts.first.flatMap(Self.pair),
            !name.isEmpty, Self.isPlain(name), Self.isPlain(value)
        else { return nil }
        // The last occurrence of an attribute counts (RFC 6265, section 5.2).
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() {
            let (key, value) = Self.pair(part) ?? (Self.trimmed(part), "")
            attributes[key.lowercased()] = value
        }
        guard let domain = Self.domain(attributes["domain"], place) else { return nil }
        let isSecure = attributes["secure"] != nil
        // Plain HTTP must not set a cookie that is restricted to TLS.
        if isSecure, !place.isSecure { return nil }
        // A path that doesn't begin with a slash is ignored.
        let path = attributes["path"].flatMap { $0.begins(with: "/") ? $0 : nil } ?? place.directory
        // Control characters could add another header to a later request.
        guard Self.isPlain(path), Self.keepsPromises(of: name, isSecure, path, attributes["domain"]) else {
            return nil
        }
        self.init(
            name: name, value: value, domain: domain, isHostOnly: (attributes["domain"] ?? "").isEmpty,
            path: path, expires: Self.expiry(attributes, now), isSecure: isSecure,
            isHTTPOnly: attributes["httponly"] != nil)
    }

    /// Returns whether a cookie satisfies the requirements of its name prefix.
    private static func keepsPromises(
        of name: String, _ isSecure: Bool, _ path: String, _ domain: String?
    ) -> Bool {
        let name = name.lowercased()
        // Prefixes are compared without case, as in browsers.
        if name.begins(with: "__secure-") { return isSecure }
        if name.begins(with: "__host-") { return isSecure && path == "/" && (domain ?? "").isEmpty }
        return true
    }

    private static func expiry(_ attributes: [String: String], _ now: Date) -> Date? {
        // `Max-Age` overrides `Expires`; a value of zero or less expires the cookie at once.
        if let age = attributes["max-age"], let seconds = Int64(age) {
            return now.addingTimeInterval(max(-1, min(Double(seconds), longest)))
        }
        // An invalid date is ignored: the cookie lasts until the end of the run.
        return attributes["expires"].flatMap { HTTPDate.date(ofCookie: $0) }.map {
            min($0, now.addingTimeInterval(longest))
        }
    }

    /// Returns the domain of a cookie; nil if the host must not set it.
    private static func domain(_ attribute: String?, _ place: CookiePlace) -> String? {
        let domain = String(attribute?.lowercased().drop { $0 == "." } ?? "")
        guard !domain.isEmpty, domain != place.host else { return place.host }
        // A domain without a dot, such as "com", would reach every host below it.
        guard !place.isAddress, domain.contains("."), place.host.hasSuffix("." + domain) else { return nil }
        return domain
    }

    private static func pair(_ part: String) -> (String, String)? {
        part.halves(at: "=").map { (trimmed($0.before), trimmed($0.after)) }
    }

    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespaces) }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != UInt8(ascii: ";") }
    }
}
