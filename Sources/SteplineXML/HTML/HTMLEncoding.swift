/// Which encodings HTML bytes are said to be in.
enum HTMLEncoding {
    /// The byte order mark, the caller's charset and that of `meta`, in the order in which they count.
    static func candidates(_ bytes: UnsafeBufferPointer<UInt8>, charset: String?) -> [EncodingSniffer] {
        var found: [EncodingSniffer] = []
        if let marked = EncodingSniffer.mark(bytes) { found.append(marked) }
        if let charset, let sniffed = try? EncodingSniffer(bytes, charset: charset) {
            found.append(web(sniffed))
        }
        if let declared = EncodingSniffer.declaration(bytes) ?? meta(bytes) {
            let name = declared.uppercased()
            // A page that could be read as ASCII up to here isn't in a wide encoding, whatever it says.
            if !name.hasPrefix("UTF-16"), !name.hasPrefix("UTF-32") {
                found.append(web(EncodingSniffer(name: name, markLength: 0)))
            }
        }
        return found
    }

    /// On the web, Latin 1 has always been read as its superset.
    private static func web(_ sniffed: EncodingSniffer) -> EncodingSniffer {
        switch sniffed.name {
        case "ISO-8859-1", "ISO8859-1", "LATIN1", "US-ASCII", "ASCII":
            EncodingSniffer(name: "WINDOWS-1252", markLength: sniffed.markLength)
        default: sniffed
        }
    }

    /// The charset of a `meta` tag near the start, in either of its two forms.
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
