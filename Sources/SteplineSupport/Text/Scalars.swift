/// Text by its scalars, as formats, paths and shells read it.
///
/// To Swift a quote with an accent behind it is one character, which is no quote; a reader of the text closes with it
/// what was opened. So do slashes, tildes, and line feeds behind a return.
extension StringProtocol {
    /// The text with some of its scalars written otherwise: those for which the closure gives a text.
    package func rewriting(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var written = ""
        written.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            if let replacement = replacement(scalar) {
                written += replacement
            } else {
                written.unicodeScalars.append(scalar)
            }
        }
        return written
    }

    /// The text with another in every place where these scalars stand.
    package func rewriting(_ part: some StringProtocol, as other: String) -> String {
        parts(between: part).joined(separator: other)
    }

    /// Whether the text begins with these scalars.
    package func begins(with beginning: some StringProtocol) -> Bool { utf8.starts(with: beginning.utf8) }

    /// What stands behind these scalars at the text's beginning; nil if it begins otherwise.
    package func behind(_ beginning: some StringProtocol) -> String? {
        begins(with: beginning)
            ? String(Substring(Substring(self).utf8.dropFirst(beginning.utf8.count))) : nil
    }

    /// Whether the text ends with these scalars.
    package func ends(with end: some StringProtocol) -> Bool {
        utf8.reversed().starts(with: end.utf8.reversed())
    }

    /// Whether these scalars stand in the text, one behind the other.
    package func holds(_ part: some StringProtocol) -> Bool {
        let search = ByteSearch(part.utf8)
        return search.wanted.isEmpty || withBytes { search.place(in: $0) != nil }
    }

    /// What stands before and behind the first such scalar, as in `NAME=VALUE`; nil if there is none.
    package func halves(at sign: Unicode.Scalar) -> (before: String, behind: String)? {
        guard let place = unicodeScalars.firstIndex(of: sign) else { return nil }
        return (String(self[..<place]), String(self[unicodeScalars.index(after: place)...]))
    }

    /// The parts of the text between these scalars, empty ones included; in time linear in both.
    package func parts(between separator: some StringProtocol) -> [String] {
        let search = ByteSearch(separator.utf8)
        return withBytes { bytes in
            var parts: [String] = []
            var start = 0
            while let end = search.place(in: bytes, from: start) {
                parts.append(String(decoding: bytes[start..<end], as: UTF8.self))
                start = end + search.wanted.count
            }
            return parts + [String(decoding: bytes[start...], as: UTF8.self)]
        }
    }

    /// How often a text that isn't empty stands in this one, none inside another; in time linear in both.
    package func count(of part: some StringProtocol) -> Int {
        let search = ByteSearch(part.utf8)
        return withBytes { bytes in
            var (count, start) = (0, 0)
            while let place = search.place(in: bytes, from: start) {
                count += 1
                start = place + search.wanted.count
            }
            return count
        }
    }

    /// The text with each `old`, which isn't empty, replaced; in time linear in all, without a list of its parts.
    package func replacing(_ old: some StringProtocol, by new: String) -> String {
        let search = ByteSearch(old.utf8)
        return withBytes { bytes in
            var text: [UInt8] = []
            var start = 0
            while let end = search.place(in: bytes, from: start) {
                text += bytes[start..<end]
                text += new.utf8
                start = end + search.wanted.count
            }
            return String(decoding: text + bytes[start...], as: UTF8.self)
        }
    }

    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = String(self)
        return text.withUTF8(body)
    }
}
