import Foundation
import SteplineSupport

extension Cookie {
    /// More days than that no cookie is kept.
    private static let longest: Double = 400 * 86_400
    /// A longer line is not kept.
    private static let longestLine = 4096

    /// Reads one `Set-Cookie`; nil for what isn't to be kept, and for what the place may not set.
    init?(_ line: String, from place: CookiePlace, at now: Date) {
        let parts = line.parts(between: ";")
        guard line.utf8.count <= Self.longestLine, let (name, value) = parts.first.flatMap(Self.pair),
            !name.isEmpty, Self.isPlain(name), Self.isPlain(value)
        else { return nil }
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() {
            let (key, value) = Self.pair(part) ?? (Self.trimmed(part), "")
            attributes[key.lowercased()] = value
        }
        guard let domain = Self.domain(attributes["domain"], place) else { return nil }
        let isSecure = attributes["secure"] != nil
        // Plain HTTP must not put a cookie in the place of one that is for TLS.
        if isSecure, !place.isSecure { return nil }
        let path = attributes["path"].flatMap { $0.begins(with: "/") ? $0 : nil } ?? place.directory
        guard Self.isPlain(path), Self.keepsPromises(of: name, isSecure, path, attributes["domain"]) else {
            return nil
        }
        self.init(
            name: name, value: value, domain: domain, isHostOnly: (attributes["domain"] ?? "").isEmpty,
            path: path, expires: Self.expiry(attributes, now), isSecure: isSecure,
            isHTTPOnly: attributes["httponly"] != nil)
    }

    /// Names that begin so promise what the cookie must then have.
    private static func keepsPromises(
        of name: String, _ isSecure: Bool, _ path: String, _ domain: String?
    ) -> Bool {
        let name = name.lowercased()
        if name.begins(with: "__secure-") { return isSecure }
        if name.begins(with: "__host-") { return isSecure && path == "/" && (domain ?? "").isEmpty }
        return true
    }

    private static func expiry(_ attributes: [String: String], _ now: Date) -> Date? {
        if let age = attributes["max-age"], let seconds = Int64(age) {
            return now.addingTimeInterval(max(-1, min(Double(seconds), longest)))
        }
        return attributes["expires"].flatMap { HTTPDate.date(ofCookie: $0) }.map {
            min($0, now.addingTimeInterval(longest))
        }
    }

    /// The domain that a cookie is for; nil if the host may not set it.
    private static func domain(_ wanted: String?, _ place: CookiePlace) -> String? {
        let domain = String(wanted?.lowercased().drop { $0 == "." } ?? "")
        guard !domain.isEmpty, domain != place.host else { return place.host }
        guard !place.isAddress, domain.contains("."), place.host.hasSuffix("." + domain) else { return nil }
        return domain
    }

    private static func pair(_ part: String) -> (String, String)? {
        part.halves(at: "=").map { (trimmed($0.before), trimmed($0.behind)) }
    }

    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespaces) }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != UInt8(ascii: ";") }
    }
}
