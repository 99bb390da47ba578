import Foundation

/// A part of a text, read by its scalars: a mark behind a slash or a quote must hide neither, nor what is secret there.
private typealias Part = Substring.UnicodeScalarView

extension Redaction {
    /// Any text with the secrets taken out that stand in it: of URLs the user, the password and the values of the query,
    /// of headers that authenticate the value.
    ///
    /// Linear in the text, which comes back untouched if there is nothing of the kind.
    package func text(_ text: String) -> String {
        var result = text.holds("://") ? withoutSecretsOfURLs(text) : text
        if result.holds(Self.escapedMark) { result = withoutSecretsOfEscapedURLs(result) }
        if result.utf8.count >= 6 { result = withoutCredentials(result) }
        return result
    }

    private func withoutSecretsOfURLs(_ text: String) -> String {
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
        let word = rest.dropFirst().prefix {
            !$0.properties.isWhitespace && !",;\"')]}".unicodeScalars.contains($0)
        }
        return word.isEmpty ? nil : word
    }

    /// What JSON may write instead of `://`.
    private static let escapedMark = ":\\/\\/"

    private func withoutSecretsOfEscapedURLs(_ text: String) -> String {
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

    /// The same path, and of a URL that is percent-encoded in it neither user nor password, nor values of a query.
    private func withoutSecretsOfEncodedURLs(_ path: String) -> String {
        let mark = /%3A%2F%2F/.ignoresCase().matchingSemantics(.unicodeScalar)
        guard path.contains(mark) else { return path }
        let parts = path.split(separator: mark, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { result, part in
            let url = Substring(part.unicodeScalars.prefix { $0 != "/" })
            let plain = url.removingPercentEncoding ?? "\(Self.stand)@"
            let shown = withoutSecrets(behindScheme: Substring(plain).unicodeScalars, decodes: false)
            result += "%3A%2F%2F" + (shown == plain ? url : Substring(shown)) + part[url.endIndex...]
        }
    }

    /// `user:password@host/path?a=1&b=2#c` without user, password, values and fragment.
    ///
    /// Decodes URLs in the path once: a URL that is encoded many times would otherwise cost a stack frame each time.
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

    /// Words after which the next word is a secret, or all of a header's value.
    private static let introductions = [
        "proxy-authorization", "authorization", "set-cookie", "cookie", "bearer", "basic",
    ]

    private func withoutCredentials(_ text: String) -> String {
        // No more than ASCII: `lowercased()` changes the length of some letters, and places in the one text
        // would mean nothing in the other.
        let bytes = text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let lower = String(decoding: bytes, as: UTF8.self)
        guard Self.introductions.contains(where: { lower.holds($0) }) else { return text }
        let scalars = text.unicodeScalars
        var result = ""
        var place = scalars.startIndex
        while place < scalars.endIndex {
            guard let secret = secret(in: text, lower, from: place) else {
                result.unicodeScalars.append(scalars[place])
                place = scalars.index(after: place)
                continue
            }
            result += text[place..<secret.startIndex] + Self.stand
            place = secret.endIndex
        }
        return result
    }

    /// The secret that one of the words at this place introduces.
    private func secret(in whole: String, _ lower: String, from place: String.Index) -> Part? {
        let text = whole.unicodeScalars
        let before = place > text.startIndex ? text[text.index(before: place)] : " "
        if Self.isWord(before) { return nil }
        let tail = lower.utf8.dropFirst(whole.utf8.distance(from: whole.startIndex, to: place))
        guard let word = Self.introductions.first(where: { tail.starts(with: $0.utf8) }) else { return nil }
        let behind = text[text.index(place, offsetBy: word.utf8.count)...]
        let isScheme = word == "bearer" || word == "basic"
        // Foundation describes headers as `AnyHashable("Cookie"): "a=b"`, and JSON lists the values of one.
        let signs = (isScheme ? " :=\"'" : " :=\"')[").unicodeScalars
        let value = behind.drop { signs.contains($0) }
        let hasJoint = value.startIndex > behind.startIndex
        guard hasJoint, !value.isEmpty else { return nil }
        let joint = behind[..<value.startIndex].drop { $0 != ":" && $0 != "=" }
        let isHeader = !isScheme && !joint.isEmpty
        guard isScheme || isHeader else { return nil }
        let secret: Part
        if isHeader, joint.contains("["), !value.starts(with: Self.stand.unicodeScalars) {
            var list = value.prefix { $0 != "]" && !Self.isLineEnd($0) }
            if let last = list.last, Self.isQuote(last) { list.removeLast() }
            secret = list
        } else if isHeader, joint.first == ":" || joint.contains(where: Self.isQuote) {
            // Empty, within its quotes.
            if ["\"\"", "''"].contains(where: { Substring(joint).ends(with: $0) }) { return nil }
            // The header as a whole may be quoted, and its value by itself, behind its name in quotes or not.
            let isWhole = Self.isQuote(before) && !behind[..<value.startIndex].contains(before)
            secret = Self.headerValue(
                in: value, closedBy: joint.last(where: Self.isQuote) ?? (isWhole ? before : nil),
                mayHaveQuotes: word.hasSuffix("authorization"))
        } else if isScheme {
            secret = value.prefix { !$0.properties.isWhitespace && !",;\"')]}".unicodeScalars.contains($0) }
        } else {
            secret = value.prefix { !",\"'\r\n".unicodeScalars.contains($0) }
        }
        // "Basic authentication" is no secret: what authenticates is long, or has more than letters.
        let isSecret = isHeader || secret.count >= 16 || secret.contains { !$0.properties.isAlphabetic }
        return isSecret && !secret.isEmpty ? secret : nil
    }

    /// The header's value at the beginning of a text: all of its line, or up to the quote that closes it.
    ///
    /// Commas separate its parts, and parts may be quoted: `Digest username="joe", response="1f"`.
    private static func headerValue(
        in text: Part, closedBy quote: Unicode.Scalar?, mayHaveQuotes: Bool
    ) -> Part {
        // It was taken out before, and what follows may be told.
        if text.starts(with: stand.unicodeScalars) { return text.prefix(stand.unicodeScalars.count) }
        guard let quote else { return text.prefix { !isLineEnd($0) } }
        // These have no parts, but may end in an equals sign.
        let scheme = String(text.prefix(7)).lowercased()
        let hasParts = mayHaveQuotes && !scheme.hasPrefix("basic ") && !scheme.hasPrefix("bearer ")
        var end = text.startIndex, previous: Unicode.Scalar = " ", isInPart = false
        while end < text.endIndex, !isLineEnd(text[end]) {
            let scalar = text[end]
            if scalar == quote, previous != "\\" {
                if !isInPart, !hasParts || previous != "=" { break }
                isInPart.toggle()
            }
            previous = scalar
            end = text.index(after: end)
        }
        return text[..<end]
    }

    private static func isQuote(_ scalar: Unicode.Scalar) -> Bool { scalar == "\"" || scalar == "'" }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { Character(scalar).isNewline }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
