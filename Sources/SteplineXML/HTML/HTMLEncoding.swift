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
        let head = bytes.prefix(4_096).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        var rest = head[...]
        while let tag = end(of: "<meta", in: rest) {
            let body = rest[tag...].prefix { $0 != UInt8(ascii: ">") }
            rest = rest[body.endIndex...]
            guard let key = end(of: "charset", in: body) else { continue }
            let value = body[key...].drop(while: isBlank)
            guard value.first == UInt8(ascii: "=") else { continue }
            let name = value.dropFirst().drop { isBlank($0) || "\"'".utf8.contains($0) }.prefix(
                while: isOfName)
            if !name.isEmpty { return String(decoding: name, as: UTF8.self) }
        }
        return nil
    }

    /// Returns the place after the first occurrence of a word.
    private static func end(of word: String, in bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = word.utf8.first else { return nil }
        var rest = bytes
        while let begin = rest.firstIndex(of: first) {
            if bytes[begin...].starts(with: word.utf8) { return begin + word.utf8.count }
            rest = bytes[(begin + 1)...]
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-_:.+".utf8.contains(byte)
    }
}
