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
        let head = UnsafeBufferPointer(rebasing: bytes.prefix(4_096))
        var place = 0
        while let tag = head.offset(of: UInt8(ascii: "<"), from: place) {
            place = tag + 1
            guard begins(head[place...], with: "meta") else { continue }
            let body = head[place...].prefix { $0 != UInt8(ascii: ">") }
            place = body.endIndex
            guard let key = body.indices.first(where: { begins(body[$0...], with: "charset") }) else {
                continue
            }
            let value = body[key...].dropFirst("charset".utf8.count).drop(while: isBlank)
            guard value.first == UInt8(ascii: "=") else { continue }
            let name = value.dropFirst().drop { isBlank($0) || "\"'".utf8.contains($0) }.map(lowercased)
                .prefix(while: isOfName)
            if !name.isEmpty { return String(decoding: name, as: UTF8.self) }
        }
        return nil
    }

    /// Returns whether bytes begin with a word in lowercase ASCII, in letters of either case.
    private static func begins(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, with word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        return bytes.count >= count
            && (0..<count).allSatisfy { lowercased(bytes[bytes.startIndex + $0]) == word.utf8Start[$0] }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-_:.+".utf8.contains(byte)
    }
}
