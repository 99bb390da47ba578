#if os(Linux)
    import Foundation
    import FoundationNetworking
    import SteplineSupport

    /// The process's cookies, sent and kept as browsers do (RFC 6265).
    ///
    /// They are those of `HTTPCookieStorage.shared`. Foundation's own reader of `Set-Cookie` on Linux ends the process
    /// at some values, and its storage looks neither at paths nor at `Secure`.
    enum HTTPCookies {
        /// More days than that no cookie is kept.
        private static let longest: Double = 400 * 86_400

        /// More cookies of one response, or a longer one, are not kept.
        private static let most = 64
        private static let longestLine = 4096

        /// The value of the `Cookie` header for a request; nil for none.
        static func header(for request: URLRequest) -> String? {
            guard request.httpShouldHandleCookies, let url = request.url,
                let found = HTTPCookieStorage.shared.cookies(for: url), !found.isEmpty
            else { return nil }
            let path = url.path(percentEncoded: true)
            let isSecure = url.scheme?.lowercased() == "https"
            let fitting = found.filter { cookie in
                (isSecure || !cookie.isSecure) && covers(cookie.path, path)
                    && cookie.expiresDate.map { $0 > Date() } ?? true && isPlain(cookie.name + cookie.value)
            }
            let sorted = fitting.sorted { ($1.path.count, $0.name) < ($0.path.count, $1.name) }
            return sorted.isEmpty ? nil : sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        }

        /// Keeps the cookies of a response.
        static func store(_ lines: [String], from request: URLRequest) {
            guard !lines.isEmpty, request.httpShouldHandleCookies, let url = request.url else { return }
            let known = HTTPCookieStorage.shared.cookies(for: url) ?? []
            let new = lines.prefix(most).compactMap { cookie($0, from: url) }.filter { cookie in
                // Foundation writes a file for each that is set.
                !known.contains { $0.says(cookie) }
            }
            guard !new.isEmpty else { return }
            HTTPCookieStorage.shared.setCookies(new, for: url, mainDocumentURL: request.mainDocumentURL)
        }

        /// Reads one `Set-Cookie`; nil for what isn't to be kept.
        static func cookie(_ line: String, from url: URL, at now: Date = Date()) -> HTTPCookie? {
            let parts = line.split(separator: ";", omittingEmptySubsequences: false)
            guard line.utf8.count <= longestLine, let (name, value) = parts.first.flatMap(pair),
                !name.isEmpty, isPlain(name + value),
                let host = url.host()?.lowercased()
            else { return nil }
            var attributes: [String: String] = [:]
            for part in parts.dropFirst() {
                let (key, value) = pair(part) ?? (trimmed(part), "")
                attributes[key.lowercased()] = value
            }
            var properties: [HTTPCookiePropertyKey: Any] = [.name: name, .value: value]
            guard let domain = domain(attributes["domain"], host: host) else { return nil }
            properties[.domain] = domain
            properties[.path] = path(attributes["path"], of: url)
            if attributes["secure"] != nil {
                guard url.scheme?.lowercased() == "https" else { return nil }
                properties[.secure] = "TRUE"
            }
            if attributes["httponly"] != nil { properties[.init("HttpOnly")] = "TRUE" }
            if let expiry = expiry(attributes, now) { properties[.expires] = expiry }
            return HTTPCookie(properties: properties)
        }

        private static func expiry(_ attributes: [String: String], _ now: Date) -> Date? {
            if let age = attributes["max-age"], let seconds = Int64(age) {
                return now.addingTimeInterval(max(-1, min(Double(seconds), longest)))
            }
            return attributes["expires"].flatMap { HTTPDate.date(of: $0.replacing("-", with: " ")) }.map {
                min($0, now.addingTimeInterval(longest))
            }
        }

        /// The domain in Foundation's form, with a dot if it reaches to hosts below; nil if the host may not set it.
        private static func domain(_ wanted: String?, host: String) -> String? {
            let domain = wanted?.lowercased().drop { $0 == "." } ?? ""
            guard !domain.isEmpty, domain != host else { return host }
            let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
            guard !isAddress, domain.contains("."), host.hasSuffix("." + domain) else { return nil }
            return "." + domain
        }

        private static func path(_ wanted: String?, of url: URL) -> String {
            if let wanted, wanted.hasPrefix("/") { return wanted }
            let path = url.path(percentEncoded: true)
            guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
            return String(path[..<slash])
        }

        private static func covers(_ cookiePath: String, _ path: String) -> Bool {
            let path = path.isEmpty ? "/" : path
            guard path.hasPrefix(cookiePath) else { return false }
            return path.count == cookiePath.count || cookiePath.hasSuffix("/")
                || path.dropFirst(cookiePath.count).first == "/"
        }

        private static func pair(_ part: Substring) -> (String, String)? {
            guard let sign = part.firstIndex(of: "=") else { return nil }
            return (trimmed(part[..<sign]), trimmed(part[part.index(after: sign)...]))
        }

        private static func trimmed(_ text: Substring) -> String {
            text.trimmingCharacters(in: .whitespaces)
        }

        private static func isPlain(_ text: String) -> Bool {
            text.utf8.allSatisfy { $0 >= 32 && $0 != 127 && $0 != 59 }
        }
    }

    extension HTTPCookie {
        /// Whether it is the same as another of this session.
        fileprivate func says(_ other: HTTPCookie) -> Bool {
            (name, value, domain, path) == (other.name, other.value, other.domain, other.path)
                && expiresDate == nil && other.expiresDate == nil && isSecure == other.isSecure
        }
    }
#endif
