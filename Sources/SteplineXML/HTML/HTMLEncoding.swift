#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Finds the declared encodings of an HTML page.
enum HTMLEncoding {
    /// Returns byte order mark, caller's charset and `meta` charset, in order of precedence.
    static func candidates(_ bytes: UnsafeBufferPointer<UInt8>, charset: String?) -> [EncodingSniffer] {
        var found: [EncodingSniffer] = []
        if let marked = EncodingSniffer.mark(bytes) { found.append(marked) }
        if let charset, let sniffed = try? EncodingSniffer(bytes, charset: charset) {
            found.append(web(sniffed))
        }
        if let declared = EncodingSniffer.declaration(bytes) ?? meta(bytes) {
            let name = declared.uppercased()
            // A page that is readable as ASCII so far can't be in a wide encoding.
            if !name.hasPrefix("UTF-16"), !name.hasPrefix("UTF-32") {
                found.append(web(EncodingSniffer(name: name, markLength: 0)))
            }
        }
        return found
    }

    /// Returns windows-1252 for Latin 1 and ASCII, as browsers do.
    private static func web(_ sniffed: EncodingSniffer) -> EncodingSniffer {
        switch sniffed.name {
        case "ISO-8859-1", "ISO8859-1", "LATIN1", "US-ASCII", "ASCII":
            EncodingSniffer(name: "WINDOWS-1252", markLength: sniffed.markLength)
        default: sniffed
        }
    }

    /// Returns the charset of a `meta` tag near the beginning, in either form.
    ///
    /// Searches bytes: a search by characters takes longer than parsing a small page.
    private static func meta(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var rest = bytes.prefix(4_096)
        while let tag = end(of: "<meta", in: rest) {
            let body = rest[tag...].prefix { $0 != UInt8(ascii: ">") }
            rest = rest[body.endIndex...]
            guard let key = end(of: "charset", in: body) else { continue }
            let value = body[key...].drop(while: isBlank)
            guard value.first == UInt8(ascii: "=") else { continue }
            let name = value.dropFirst().drop { isBlank($0) || "\"'".utf8.contains($0) }.map(lowercased)
                .prefix(while: isOfName)
            if !name.isEmpty { return String(decoding: name, as: UTF8.self) }
        }
        return nil
    }

    /// Returns the place after the first occurrence of a word in lowercase ASCII, in letters of either case.
    private static func end(of word: StaticString, in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let base = bytes.base.baseAddress else { return nil }
        let count = word.utf8CodeUnitCount
        let first = word.utf8Start[0]
        let end = bytes.endIndex - count + 1
        var place = bytes.startIndex
        while place < end {
            // `<` has no other case: skip the text between two tags at once.
            if first == UInt8(ascii: "<") {
                guard let found = memchr(base + place, Int32(first), end - place) else { return nil }
                place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            }
            var length = 0
            while length < count, lowercased(base[place + length]) == word.utf8Start[length] { length += 1 }
            if length == count { return place + count }
            place += 1
        }
        return nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-_:.+".utf8.contains(byte)
    }
}
