import Foundation

extension Redaction {
    /// The text without user, password, fragment and the query's values of each URL.
    func withoutSecretsOfURLs(_ text: String) -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let mark = rest.firstRange(of: "://".unicodeScalars) {
            result += Substring(rest[..<mark.upperBound])
            let before = rest[..<mark.lowerBound].last {
                !Self.isWord($0) && !"+-.:".unicodeScalars.contains($0)
            }
            var url = Self.url(in: rest[mark.upperBound...], isQuoted: before == "'")
            // A sentence goes on behind the URL.
            while let last = url.last, ",;.:!)]'".unicodeScalars.contains(last) { url.removeLast() }
            rest = rest[url.endIndex...]
            result += withoutSecrets(behindScheme: url)
            // A query that ends in a scheme of `Authorization` was cut at the space before its credentials.
            if let credentials = Self.credentials(behind: url, in: rest) {
                result += Substring(rest[..<credentials.startIndex]) + Self.stand
                rest = rest[credentials.endIndex...]
            }
        }
        return result + Substring(rest)
    }

    /// The word after a URL whose query ends in "Bearer" or "Basic".
    private static func credentials(behind url: Part, in rest: Part) -> Part? {
        guard rest.first == " ", url.contains("?") else { return nil }
        let end = String(Substring(url.suffix(6))).lowercased()
        guard end == "bearer" || end.hasSuffix("basic") else { return nil }
        let word = rest.dropFirst().prefix(while: isOfCredentials)
        return word.isEmpty ? nil : word
    }

    /// `://` with escaped slashes, as JSON may write it.
    static let escapedMark = ":\\/\\/"

    /// The same of URLs whose slashes are escaped.
    func withoutSecretsOfEscapedURLs(_ text: String) -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let mark = rest.firstRange(of: Self.escapedMark.unicodeScalars) {
            result += Substring(rest[..<mark.upperBound])
            rest = rest[mark.upperBound...]
            var url = String.UnicodeScalarView()
            while let scalar = rest.first {
                let isEscape = rest.starts(with: "\\/".unicodeScalars)
                guard isEscape || !Self.endsURL(scalar) else { break }
                url.append(isEscape ? "/" : scalar)
                rest.removeFirst(isEscape ? 2 : 1)
            }
            result += withoutSecrets(behindScheme: url[...]).rewriting { $0 == "/" ? "\\/" : nil }
        }
        return result + Substring(rest)
    }

    /// The path, in which a percent-encoded URL has neither user and password nor the values of its query.
    private func withoutSecretsOfEncodedURLs(_ path: String) -> String {
        let mark = /%3A%2F%2F/.ignoresCase().matchingSemantics(.unicodeScalar)
        guard path.utf8.contains(UInt8(ascii: "%")), path.contains(mark) else { return path }
        let parts = path.split(separator: mark, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { result, part in
            let url = Substring(part.unicodeScalars.prefix { $0 != "/" })
            // A URL with an invalid escape is hidden as a whole.
            let plain = url.removingPercentEncoding ?? "\(Self.stand)@"
            let shown = withoutSecrets(behindScheme: Substring(plain).unicodeScalars, decodes: false)
            result += "%3A%2F%2F" + (shown == plain ? url : Substring(shown)) + part[url.endIndex...]
        }
    }

    /// `user:password@host/path?a=1&b=2#c` without user, password, values and fragment.
    ///
    /// Decodes the path once only. A URL that is encoded many times would otherwise overflow the stack.
    private func withoutSecrets(behindScheme url: Part, decodes: Bool = true) -> String {
        let authority = url.prefix { !"/?#".unicodeScalars.contains($0) }
        var path = url[authority.endIndex...]
        var result =
            authority.lastIndex(of: "@").map { Self.stand + Substring(authority[$0...]) } ?? String(authority)
        path = path.prefix { $0 != "#" }
        let steps = String(Substring(path.prefix { $0 != "?" }))
        result += decodes ? withoutSecretsOfEncodedURLs(steps) : steps
        guard let mark = path.firstIndex(of: "?") else { return result }
        result += "?"
        let items = path[path.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        result += items.map { item in
            item.firstIndex(of: "=").map { Substring(item[...$0]) + "…" } ?? Substring(item)
        }.joined(separator: "&")
        return result
    }

    /// The URL that a text begins with, up to the scheme of another one.
    ///
    /// A single quote may be a part of it, as in `?name=O'Brien`. One that was opened right before it ends it, where it
    /// isn't followed by more of a URL.
    private static func url(in text: Part, isQuoted: Bool) -> Part {
        var end = text.startIndex, word = end, isInQuery = false
        while end < text.endIndex, !endsURL(text[end]) {
            let next = text.index(after: end)
            // What is behind another one has a user and a password of its own; in a query nothing is shown.
            if !isInQuery, text[end] == ":", text[end...].starts(with: "://".unicodeScalars) {
                return text[..<word]
            }
            if text[end] == "?" || text[end] == "#" { isInQuery = true }
            if !isWord(text[end]), !"+-.".unicodeScalars.contains(text[end]) { word = next }
            if isQuoted, text[end] == "'" {
                guard next < text.endIndex, !endsURL(text[next]),
                    !",;.:!?)]".unicodeScalars.contains(text[next])
                else { break }
            }
            end = next
        }
        return text[..<end]
    }

    private static func endsURL(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || "\"<>`{}|\\^".unicodeScalars.contains(scalar)
    }

    /// Whether the scalar may be part of the credentials after "Bearer" or "Basic".
    static func isOfCredentials(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !",;\"')]}".unicodeScalars.contains(scalar)
    }

    /// Whether the scalar is a letter or a number.
    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
