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
    private static func meta(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        let head = String(decoding: bytes.prefix(4_096).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
            .lowercased()
        var rest = head[...]
        while let tag = rest.firstRange(of: "<meta") {
            let body = rest[tag.upperBound...].prefix { $0 != ">" }
            rest = rest[body.endIndex...]
            guard let key = body.firstRange(of: "charset") else { continue }
            let value = body[key.upperBound...].drop { $0.isWhitespace }
            guard value.first == "=" else { continue }
            let name = value.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
                .prefix { $0.isLetter || $0.isNumber || "-_:.+".contains($0) }
            if !name.isEmpty { return String(name) }
        }
        return nil
    }
}
