import Foundation

extension Redaction {
    /// Returns the text without user, password, fragment and query values of each URL.
    func withoutSecretsOfURLs(_ text: String) -> String {
        var result = ""
        var rest = text.unicodeScalars[...]
        while let mark = rest.firstRange(of: "://".unicodeScalars) {
            result += Substring(rest[..<mark.upperBound])
            let before = rest[..<mark.lowerBound].last {
                !Self.isWord($0) && !"+-.:".unicodeScalars.contains($0)
            }
            var url = Self.url(in: rest[mark.upperBound...], isQuoted: before == "'")
            // Punctuation after the URL belongs to the sentence.
            while let last = url.last, ",;.:!)]'".unicodeScalars.contains(last) { url.removeLast() }
            rest = rest[url.endIndex...]
            result += withoutSecrets(afterScheme: url)
            // A query ending with an `Authorization` scheme was cut at the space before the credentials.
            if let credentials = Self.credentials(after: url, in: rest) {
                result += Substring(rest[..<credentials.startIndex]) + Self.stand
                rest = rest[credentials.endIndex...]
            }
        }
        return result + Substring(rest)
    }

    /// Returns the word after a URL whose query ends with "Bearer" or "Basic".
    private static func credentials(after url: Part, in rest: Part) -> Part? {
        guard rest.first == " ", url.contains("?") else { return nil }
        let end = String(Substring(url.suffix(6))).lowercased()
        guard end == "bearer" || end.hasSuffix("basic") else { return nil }
        let word = rest.dropFirst().prefix(while: isOfCredentials)
        return word.isEmpty ? nil : word
    }

    /// The text `://` with escaped slashes, as in JSON.
    static let escapedMark = ":\\/\\/"

    /// Redacts URLs with escaped slashes like ``withoutSecretsOfURLs(_:)``.
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
            result += withoutSecrets(afterScheme: url[...]).rewriting { $0 == "/" ? "\\/" : nil }
        }
        return result + Substring(rest)
    }

    /// Returns a path in which percent-encoded URLs have neither user and password nor query values.
    private func withoutSecretsOfEncodedURLs(_ path: String) -> String {
        let mark = /%3A%2F%2F/.ignoresCase().matchingSemantics(.unicodeScalar)
        guard path.utf8.contains(UInt8(ascii: "%")), path.contains(mark) else { return path }
        let parts = path.split(separator: mark, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { result, part in
            let url = Substring(part.unicodeScalars.prefix { $0 != "/" })
            // A URL with an invalid escape is hidden completely.
            let plain = url.removingPercentEncoding ?? "\(Self.stand)@"
            let shown = withoutSecrets(afterScheme: Substring(plain).unicodeScalars, decodes: false)
            result += "%3A%2F%2F" + (shown == plain ? url : Substring(shown)) + part[url.endIndex...]
        }
    }

    /// Returns `user:password@host/path?a=1&b=2#c` without user, password, values and fragment.
    ///
    /// Decodes the path only once: a URL that is encoded many times would otherwise overflow the stack.
    private func withoutSecrets(afterScheme url: Part, decodes: Bool = true) -> String {
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

    /// Returns the URL at the beginning of a text, up to the scheme of another URL.
    ///
    /// A single quote may be part of a URL, as in `?name=O'Brien`. A quote that was opened before the URL ends it,
    /// unless more of a URL follows.
    private static func url(in text: Part, isQuoted: Bool) -> Part {
        var end = text.startIndex, word = end, isInQuery = false
        while end < text.endIndex, !endsURL(text[end]) {
            let next = text.index(after: end)
            // An embedded URL has its own user and password; in a query every value is hidden anyway.
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

    /// Returns whether a scalar may be part of the credentials after "Bearer" or "Basic".
    static func isOfCredentials(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !",;\"')]}".unicodeScalars.contains(scalar)
    }

    /// Returns whether a scalar is a letter or a number.
    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
