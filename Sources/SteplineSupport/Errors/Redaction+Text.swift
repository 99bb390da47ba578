extension Redaction {
    /// Any text with the secrets taken out that stand in it: of URLs the user, the password and the values of the query,
    /// of headers that authenticate the value.
    ///
    /// Linear in the text, which comes back untouched if there is nothing of the kind.
    package func text(_ text: String) -> String {
        var result = text.contains("://") ? withoutSecretsOfURLs(text) : text
        if result.utf8.count >= 6 { result = withoutCredentials(result) }
        return result
    }

    private func withoutSecretsOfURLs(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let mark = rest.firstRange(of: "://") {
            result += rest[..<mark.upperBound]
            let before = rest[..<mark.lowerBound].last { !Self.isWord($0) && !"+-.:".contains($0) }
            var url = Self.url(in: rest[mark.upperBound...], isQuoted: before == "'")
            // A sentence goes on behind the URL.
            while let last = url.last, ",;.:!)]'".contains(last) { url.removeLast() }
            rest = rest[url.endIndex...]
            result += withoutSecrets(behindScheme: url)
        }
        return result + rest
    }

    /// `user:password@host/path?a=1&b=2#c` without user, password, values and fragment.
    private func withoutSecrets(behindScheme url: Substring) -> String {
        let authority = url.prefix { !"/?#".contains($0) }
        var path = url[authority.endIndex...]
        var result =
            authority.lastIndex(of: "@").map { Self.stand + "@" + authority[authority.index(after: $0)...] }
            ?? String(authority)
        path = path.prefix { $0 != "#" }
        guard let mark = path.firstIndex(of: "?") else { return result + path }
        result += path[...mark]
        let items = path[path.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        result += items.map { item in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            return item[...equals] + "…"
        }.joined(separator: "&")
        return result
    }

    /// The URL that a text begins with, up to the scheme of another one.
    ///
    /// A single quote may be a part of it, as in `?name=O'Brien`. One that was opened right before it ends it, where it
    /// isn't followed by more of a URL.
    private static func url(in text: Substring, isQuoted: Bool) -> Substring {
        var end = text.startIndex, word = end, isInQuery = false
        while end < text.endIndex, !endsURL(text[end]) {
            let next = text.index(after: end)
            // What is behind another one has a user and a password of its own; in a query nothing is shown.
            if !isInQuery, text[end] == ":", text[end...].hasPrefix("://") { return text[..<word] }
            if "?#".contains(text[end]) { isInQuery = true }
            if !isWord(text[end]), !"+-.".contains(text[end]) { word = next }
            if isQuoted, text[end] == "'" {
                if next == text.endIndex || endsURL(text[next]) || ",;.:!?)]".contains(text[next]) { break }
            }
            end = next
        }
        return text[..<end]
    }

    private static func endsURL(_ character: Character) -> Bool {
        character.isWhitespace || "\"<>`{}|\\^".contains(character)
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
        guard Self.introductions.contains(where: lower.contains) else { return text }
        var result = ""
        var place = text.startIndex
        while place < text.endIndex {
            guard let end = credentials(in: text, lower, from: place) else {
                result.append(text[place])
                place = text.index(after: place)
                continue
            }
            result += text[place..<end.begin] + Self.stand
            place = end.end
        }
        return result
    }

    /// Where a secret begins and ends that one of the words at this place introduces.
    private func credentials(
        in text: String, _ lower: String, from place: String.Index
    ) -> (begin: String.Index, end: String.Index)? {
        if place > text.startIndex, Self.isWord(text[text.index(before: place)]) { return nil }
        let offset = text.utf8.distance(from: text.startIndex, to: place)
        let tail = lower.utf8[lower.utf8.index(lower.startIndex, offsetBy: offset)...]
        guard let word = Self.introductions.first(where: { tail.starts(with: $0.utf8) }) else { return nil }
        var begin = text.utf8.index(place, offsetBy: word.utf8.count)
        let isScheme = word == "bearer" || word == "basic"
        var hasJoint = false
        while begin < text.endIndex, " :=\"'".contains(text[begin]) {
            hasJoint = true
            begin = text.index(after: begin)
        }
        guard hasJoint, begin < text.endIndex else { return nil }
        let joint = text[place..<begin].drop { !":=".contains($0) }
        let isHeader = !isScheme && !joint.isEmpty
        guard isScheme || isHeader else { return nil }
        let value: Substring
        if word.hasSuffix("authorization"), joint.first == ":" || joint.contains(where: Self.isQuote) {
            // Empty, within its quotes.
            if joint.hasSuffix("\"\"") || joint.hasSuffix("''") { return nil }
            // The header as a whole may be quoted, and its value by itself, behind its name in quotes or not.
            let before = place > text.startIndex ? text[text.index(before: place)] : " "
            let isWhole = Self.isQuote(before) && !text[place..<begin].contains(before)
            value = Self.authorization(
                in: text[begin...], closedBy: joint.last(where: Self.isQuote) ?? (isWhole ? before : nil))
        } else {
            value = text[begin...].prefix {
                isScheme ? !($0.isWhitespace || ",;\"')]}".contains($0)) : !",\"'\n".contains($0)
            }
        }
        // "Basic authentication" is no secret: what authenticates is long, or has more than letters.
        let isSecret = isHeader || value.count >= 16 || value.contains { !$0.isLetter }
        return isSecret && !value.isEmpty ? (begin, value.endIndex) : nil
    }

    /// The value of `Authorization` that a text begins with: all of its line, or up to the quote that closes it.
    ///
    /// Commas part what it consists of, and some of that is quoted: `Digest username="joe", response="1f"`.
    private static func authorization(in text: Substring, closedBy quote: Character?) -> Substring {
        // It was taken out before, and what follows may be told.
        if text.hasPrefix(stand) { return text.prefix(stand.count) }
        guard let quote else { return text.prefix { !$0.isNewline } }
        // These have no parts, but may end in an equals sign.
        let scheme = text.prefix(7).lowercased()
        let hasParts = !scheme.hasPrefix("basic ") && !scheme.hasPrefix("bearer ")
        var end = text.startIndex, previous: Character = " ", isInPart = false
        while end < text.endIndex, !text[end].isNewline {
            let character = text[end]
            if character == quote, previous != "\\" {
                if !isInPart, !hasParts || previous != "=" { break }
                isInPart.toggle()
            }
            previous = character
            end = text.index(after: end)
        }
        return text[..<end]
    }

    private static func isQuote(_ character: Character) -> Bool { character == "\"" || character == "'" }

    private static func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
