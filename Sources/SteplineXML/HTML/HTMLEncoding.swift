/// The encoding of HTML bytes: mark, then the caller's charset, then `meta`, then UTF-8.
enum HTMLEncoding {
    static func sniff(_ bytes: UnsafeBufferPointer<UInt8>, charset: String?) -> EncodingSniffer {
        if let marked = EncodingSniffer.mark(bytes) { return marked }
        if let charset, let sniffed = try? EncodingSniffer(bytes, charset: charset) { return web(sniffed) }
        if let declared = EncodingSniffer.declaration(bytes) ?? meta(bytes) {
            let name = declared.uppercased()
            // A page that could be read as ASCII up to here isn't in a wide encoding, whatever it says.
            if !name.hasPrefix("UTF-16"), !name.hasPrefix("UTF-32") {
                return web(EncodingSniffer(name: name, markLength: 0))
            }
        }
        return EncodingSniffer(name: "UTF-8", markLength: 0)
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
