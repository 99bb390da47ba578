/// Text operations on scalars, as formats, paths and shells need them.
///
/// Swift combines a quote and a following combining accent into one character, which isn't equal to a quote. A parser
/// still reads a closing quote there. The same applies to slashes, tildes, and line feeds after a carriage return.
extension StringProtocol {
    /// Returns the text with scalars replaced, for which the closure returns a text.
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

    /// Returns the text with all occurrences of these scalars replaced.
    package func rewriting(_ part: some StringProtocol, as other: String) -> String {
        parts(between: part).joined(separator: other)
    }

    /// Returns whether the text begins with these scalars.
    package func begins(with beginning: some StringProtocol) -> Bool { utf8.starts(with: beginning.utf8) }

    /// Returns the text after these scalars at its beginning; nil if it begins differently.
    package func after(_ beginning: some StringProtocol) -> String? {
        begins(with: beginning)
            ? String(Substring(Substring(self).utf8.dropFirst(beginning.utf8.count))) : nil
    }

    /// Returns whether the text ends with these scalars.
    package func ends(with end: some StringProtocol) -> Bool {
        utf8.reversed().starts(with: end.utf8.reversed())
    }

    /// Returns whether the text contains these scalars in sequence.
    package func holds(_ part: some StringProtocol) -> Bool {
        let search = ByteSearch(part.utf8)
        return search.pattern.isEmpty || withBytes { search.place(in: $0) != nil }
    }

    /// Returns the text before and after the first such scalar, as in `NAME=VALUE`; nil without one.
    package func halves(at sign: Unicode.Scalar) -> (before: String, after: String)? {
        guard let place = unicodeScalars.firstIndex(of: sign) else { return nil }
        return (String(self[..<place]), String(self[unicodeScalars.index(after: place)...]))
    }

    /// Returns the parts of the text between these scalars, including empty parts, in time linear in both.
    package func parts(between separator: some StringProtocol) -> [String] {
        let search = ByteSearch(separator.utf8)
        return withBytes { bytes in
            var parts: [String] = []
            var start = 0
            while let end = search.place(in: bytes, from: start) {
                parts.append(String(decoding: bytes[start..<end], as: UTF8.self))
                start = end + search.pattern.count
            }
            return parts + [String(decoding: bytes[start...], as: UTF8.self)]
        }
    }

    /// Returns the number of non-overlapping occurrences of a text that isn't empty, in time linear in both.
    package func count(of part: some StringProtocol) -> Int {
        let search = ByteSearch(part.utf8)
        return withBytes { bytes in
            var (count, start) = (0, 0)
            while let place = search.place(in: bytes, from: start) {
                count += 1
                start = place + search.pattern.count
            }
            return count
        }
    }

    /// Returns the text with each `old`, which isn't empty, replaced, in linear time and without a list of parts.
    package func replacing(_ old: some StringProtocol, by new: String) -> String {
        let search = ByteSearch(old.utf8)
        return withBytes { bytes in
            var text: [UInt8] = []
            var start = 0
            while let end = search.place(in: bytes, from: start) {
                text += bytes[start..<end]
                text += new.utf8
                start = end + search.pattern.count
            }
            return String(decoding: text + bytes[start...], as: UTF8.self)
        }
    }

    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        var text = String(self)
        return text.withUTF8(body)
    }
}
