package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The rules for showing requests, and texts about requests, to people.
///
/// Bodies are never shown. `<redacted>` replaces user and password, authenticating headers, and headers and query items
/// whose names indicate a secret.
package struct Redaction: Sendable {
    package static let stand = "<redacted>"

    /// The rules with the built-in names only.
    package static let standard = Redaction()

    private static let headers: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie",
    ]
    private static let words = [
        "token", "secret", "password", "signature", "session", "api-key", "api_key", "apikey",
    ]
    /// The maximum length of a URL's text.
    private static let longest = 300

    private let added: [String]

    /// Creates rules with further names in addition to the built-in ones.
    package init(adding names: Set<String> = []) {
        added = names.map { $0.lowercased() }.sorted()
    }

    /// Returns whether a header or query item with this name is secret.
    package func hides(_ name: String) -> Bool {
        let name = name.lowercased()
        // Compare both scalars and characters: in doubt the value is hidden.
        return Self.headers.contains(name)
            || (Self.words + added).contains { name.holds($0) || name.contains($0) }
    }

    package func text(_ url: URL) -> String {
        if url.scheme?.lowercased() == "data" { return "data:…" }
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return url.scheme.map { "\($0):…" } ?? "…"
        }
        let hadUser = parts.percentEncodedUser != nil || parts.percentEncodedPassword != nil
        let query = parts.percentEncodedQuery
        parts.user = nil
        parts.password = nil
        parts.percentEncodedQuery = nil
        parts.fragment = nil
        var text = parts.string ?? "…"
        if hadUser, let slashes = text.range(of: "//") {
            text.insert(contentsOf: Self.stand + "@", at: slashes.upperBound)
        }
        if let query { text += "?" + self.text(query: query) }
        return text.count > Self.longest ? text.prefix(Self.longest - 1) + "…" : text
    }

    private func text(query: String) -> String {
        query.parts(between: "&").map { item in
            let name = Substring(item.unicodeScalars.prefix { $0 != "=" })
            let isSecret = hides(String(name).removingPercentEncoding ?? String(name))
            return isSecret ? name + "=" + Self.stand : item
        }.joined(separator: "&")
    }

    package func text(_ headers: [String: String]) -> String {
        headers.sorted { $0.key < $1.key }.map { name, value in
            "\(name): \(hides(name) ? Self.stand : value)"
        }.joined(separator: ", ")
    }

    /// Returns values without the secrets in their texts, such as the metadata of a log's record.
    package func values(_ values: [String: String]) -> [String: String] { values.mapValues { text($0) } }

    /// Returns the error without secrets in its URLs.
    package func redacted(_ error: URLError) -> URLError {
        var info = error.userInfo
        for (key, value) in error.userInfo {
            switch value {
            case let url as URL: info[key] = text(url)
            case let string as String:
                if string.holds("://"), let url = URL(string: string) { info[key] = text(url) }
            case let inner as URLError: info[key] = redacted(inner)
            default: break
            }
        }
        return URLError(error.code, userInfo: info)
    }
}
