extension Redaction {
    /// A part of a text as scalars: a combining mark after a slash or a quote must not hide the delimiter.
    typealias Part = Substring.UnicodeScalarView

    /// Returns a text with its secrets redacted: user, password and query values of URLs, and values of authenticating
    /// headers.
    ///
    /// The cost is linear in the text. A text without secrets is returned unchanged.
    package func text(_ text: String) -> String {
        var result = text.holds("://") ? withoutSecretsOfURLs(text) : text
        if result.holds(Self.escapedMark) { result = withoutSecretsOfEscapedURLs(result) }
        if result.utf8.count >= 6 { result = withoutCredentials(result) }
        return result
    }

    /// The words that introduce a secret: the next word, or a header's whole value.
    private static let introductions = [
        "proxy-authorization", "authorization", "set-cookie", "cookie", "bearer", "basic",
    ]

    private func withoutCredentials(_ text: String) -> String {
        // Lowercase ASCII only: `lowercased()` changes the length of some letters, and indices of one text would be
        // invalid in the other.
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

    /// Returns the secret that a word at this place introduces.
    private func secret(in whole: String, _ lower: String, from place: String.Index) -> Part? {
        let text = whole.unicodeScalars
        let before = place > text.startIndex ? text[text.index(before: place)] : " "
        if Self.isWord(before) { return nil }
        let tail = lower.utf8.dropFirst(whole.utf8.distance(from: whole.startIndex, to: place))
        guard let word = Self.introductions.first(where: { tail.starts(with: $0.utf8) }) else { return nil }
        let rest = text[text.index(place, offsetBy: word.utf8.count)...]
        let isScheme = word == "bearer" || word == "basic"
        // Foundation describes headers as `AnyHashable("Cookie"): "a=b"`, and JSON may list a header's values.
        let signs = (isScheme ? " :=\"'" : " :=\"')[").unicodeScalars
        let opening = rest.prefix { signs.contains($0) }.drop { $0 != ":" && $0 != "=" }
        let isList = opening.dropFirst().first { $0 != " " } == "["
        let value = rest.drop { signs.contains($0) || (isList && $0.properties.isWhitespace) }
        let hasJoint = value.startIndex > rest.startIndex
        guard hasJoint, !value.isEmpty else { return nil }
        let joint = rest[..<value.startIndex].drop { $0 != ":" && $0 != "=" }
        let isHeader = !isScheme && !joint.isEmpty
        guard isScheme || isHeader, !isList || value.first != "]" else { return nil }
        let secret: Part
        if isList, let quote = joint.last(where: Self.isQuote) {
            secret = Self.list(in: value, quotedBy: quote)
        } else if isHeader, joint.first == ":" || joint.contains(where: Self.isQuote) {
            // An empty value in quotes.
            if ["\"\"", "''"].contains(where: { Substring(joint).ends(with: $0) }) { return nil }
            // The whole header may be quoted, or its value alone, after a name with or without quotes.
            let isWhole = Self.isQuote(before) && !rest[..<value.startIndex].contains(before)
            secret = Self.headerValue(
                in: value, closedBy: joint.last(where: Self.isQuote) ?? (isWhole ? before : nil),
                mayHaveQuotes: word.hasSuffix("authorization"))
        } else if isScheme {
            secret = value.prefix(while: Self.isOfCredentials)
        } else {
            secret = value.prefix { !",\"'\r\n".unicodeScalars.contains($0) }
        }
        // "Basic authentication" is no secret: credentials are long, or contain more than letters.
        let isSecret = isHeader || secret.count >= 16 || secret.contains { !$0.properties.isAlphabetic }
        return isSecret && !secret.isEmpty ? secret : nil
    }

    /// Returns the list of a header's values, up to the quote before the closing bracket.
    private static func list(in text: Part, quotedBy quote: Unicode.Scalar) -> Part {
        var end = text.startIndex, previous: Unicode.Scalar = " "
        while end < text.endIndex {
            let next = text.index(after: end)
            if text[end] == quote, previous != "\\",
                text[next...].first(where: { !$0.properties.isWhitespace }) == "]"
            {
                break
            }
            previous = text[end]
            end = next
        }
        return text[..<end]
    }

    /// Returns the header's value at the beginning of a text: the rest of the line, or up to the closing quote.
    ///
    /// Commas separate parts, which may be quoted: `Digest username="joe", response="1f"`.
    private static func headerValue(
        in text: Part, closedBy quote: Unicode.Scalar?, mayHaveQuotes: Bool
    ) -> Part {
        // The value was redacted before, and the following text is no secret.
        if text.starts(with: stand.unicodeScalars) { return text.prefix(stand.unicodeScalars.count) }
        guard let quote else { return text.prefix { !isLineEnd($0) } }
        // Basic and Bearer values have no parts, but may end with an equals sign.
        let scheme = String(text.prefix(7)).lowercased()
        let hasParts = mayHaveQuotes && !scheme.hasPrefix("basic ") && !scheme.hasPrefix("bearer ")
        var end = text.startIndex, previous: Unicode.Scalar = " ", isInPart = false
        while end < text.endIndex, !isLineEnd(text[end]) {
            let scalar = text[end]
            if scalar == quote, previous != "\\" {
                // A quote after an equals sign begins or ends a quoted part instead of closing the value.
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

}
