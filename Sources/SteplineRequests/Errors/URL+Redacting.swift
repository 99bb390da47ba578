package import Foundation

extension URL {
    /// The URL without user and password.
    package var withoutUser: URL {
        guard user != nil || password != nil,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        parts.user = nil
        parts.password = nil
        // A URL that can't be put together again is better not told at all.
        return parts.url ?? URL(filePath: "/")
    }

    /// What may stand in a text for people: no user, password, query or fragment, and not too long.
    package var withoutSecrets: String {
        if scheme?.lowercased() == "data" { return "data:…" }
        guard var parts = URLComponents(url: withoutUser, resolvingAgainstBaseURL: true) else {
            return scheme.map { "\($0):…" } ?? "…"
        }
        let hadQuery = parts.percentEncodedQuery != nil
        parts.query = nil
        parts.fragment = nil
        let text = (parts.string ?? "…") + (hadQuery ? "?…" : "")
        return text.count > 300 ? text.prefix(299) + "…" : text
    }

    /// Scheme, host and port: what has the same of these is the same origin.
    package var origin: [String] {
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        return [scheme, host()?.lowercased() ?? "", String(port)]
    }
}
