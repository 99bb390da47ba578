package import Foundation

extension URL {
    /// The URL without user and password.
    package var withoutUser: URL {
        guard user != nil || password != nil,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        parts.user = nil
        parts.password = nil
        // A URL that can't be recomposed is hidden completely.
        return parts.url ?? URL(filePath: "/")
    }

    /// The URL as text for logs and errors: without user, password, query and fragment, and shortened.
    package var withoutSecrets: String {
        if let text = plainText { return text }
        // The data itself may be secret, and long.
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

    /// The text of a web URL that is short and contains no secret: it has no user, password, query or fragment.
    private var plainText: String? {
        let text = absoluteString
        let isPlain =
            text.utf8.count <= 300
            && text.utf8.allSatisfy { byte in
                byte > 32 && byte < 127 && !"@?#%[".utf8.contains(byte)
            }
        return isPlain && (text.hasPrefix("http://") || text.hasPrefix("https://")) ? text : nil
    }

    /// The origin: scheme, host and port.
    package var origin: [String] {
        let scheme = scheme?.lowercased() ?? ""
        let port = port ?? (scheme == "https" ? 443 : 80)
        return [scheme, host()?.lowercased() ?? "", String(port)]
    }
}
