/// Detects the encoding of XML bytes: byte order mark, caller's charset, declaration, then UTF-8.
struct EncodingSniffer: Equatable {
    /// The name for finding the converter.
    let name: String
    /// The length of the byte order mark.
    let markLength: Int

    /// The number of bytes sufficient for the detection.
    static let enough = 1_024

    var isUTF8: Bool { name == "UTF-8" }

    init(_ bytes: UnsafeBufferPointer<UInt8>, charset: String?) throws(XMLError) {
        if let marked = Self.mark(bytes) {
            self = marked
        } else if let charset = charset.map(Self.normalized), !charset.isEmpty {
            self.init(name: Self.specified(charset, by: Self.shape(bytes)), markLength: 0)
        } else if let shape = Self.shape(bytes) {
            self.init(name: shape, markLength: 0)
        } else if let declared = Self.declaration(bytes).map(Self.normalized) {
            guard !declared.hasPrefix("UTF-16"), !declared.hasPrefix("UTF-32"), !declared.hasPrefix("UCS"),
                !declared.hasPrefix("ISO-10646-UCS")
            else {
                throw XMLError(
                    .encoding, "the declaration says \(declared), but the bytes aren't that", line: 1,
                    column: 1)
            }
            self.init(name: declared, markLength: 0)
        } else if bytes.starts(with: [0x4C, 0x6F, 0xA7, 0x94]) {
            // The first four characters `<?xm` in EBCDIC.
            throw XMLError(.encoding, "the bytes are EBCDIC, which isn't read", line: 1, column: 1)
        } else {
            self.init(name: "UTF-8", markLength: 0)
        }
    }

    init(name: String, markLength: Int) {
        self.name = name == "UTF8" ? "UTF-8" : name
        self.markLength = markLength
    }

    /// Returns the encoding of a byte order mark.
    static func mark(_ bytes: UnsafeBufferPointer<UInt8>) -> EncodingSniffer? {
        // Only byte order marks begin with one of these bytes.
        guard let first = bytes.first, first >= 0xEF || first == 0 else { return nil }
        let start = Array(bytes.prefix(4))
        return if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            EncodingSniffer(name: "UTF-8", markLength: 3)
        } else if start.starts(with: [0xFF, 0xFE, 0, 0]) {
            EncodingSniffer(name: "UTF-32LE", markLength: 4)
        } else if start.starts(with: [0, 0, 0xFE, 0xFF]) {
            EncodingSniffer(name: "UTF-32BE", markLength: 4)
        } else if start.starts(with: [0xFF, 0xFE]) {
            EncodingSniffer(name: "UTF-16LE", markLength: 2)
        } else if start.starts(with: [0xFE, 0xFF]) {
            EncodingSniffer(name: "UTF-16BE", markLength: 2)
        } else {
            nil
        }
    }

    /// Returns the wide encoding in which the first character is `<`, if any.
    private static func shape(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.count >= 4 else { return nil }
        return switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0x3C, 0, 0, 0): "UTF-32LE"
        case (0, 0, 0, 0x3C): "UTF-32BE"
        case (0x3C, 0, _, 0): "UTF-16LE"
        case (0, 0x3C, 0, _): "UTF-16BE"
        default: nil
        }
    }

    /// Returns a charset with its byte order, detected from the bytes if it is unspecified.
    private static func specified(_ charset: String, by shape: String?) -> String {
        switch charset {
        case "UTF-16", "UTF16": shape.flatMap { $0.hasPrefix("UTF-16") ? $0 : nil } ?? "UTF-16BE"
        case "UTF-32", "UTF32": shape.flatMap { $0.hasPrefix("UTF-32") ? $0 : nil } ?? "UTF-32BE"
        default: charset
        }
    }

    /// Returns the charset in upper case without quotes and spaces.
    private static func normalized(_ charset: String) -> String {
        var bytes: [UInt8] = []
        for byte in charset.utf8 where byte > 32 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'") {
            bytes.append(byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the encoding in an ASCII-compatible XML declaration.
    ///
    /// Works on bytes, since `Character` processing would cost as much as parsing a small document.
    static func declaration(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.starts(with: "<?xml".utf8) else { return nil }
        let head = bytes.prefix(enough)
        let end = head.firstIndex(of: UInt8(ascii: ">")) ?? head.endIndex
        guard var place = find("encoding", in: head[..<end]) else { return nil }
        while place < end, bytes[place] <= 32 || bytes[place] == UInt8(ascii: "=") { place += 1 }
        guard place < end, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") else {
            return nil
        }
        let quote = bytes[place]
        return String(decoding: bytes[(place + 1)..<end].prefix { $0 != quote }, as: UTF8.self)
    }

    /// Returns the offset after the first occurrence of a word.
    private static func find(_ word: StaticString, in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let count = word.utf8CodeUnitCount
        let word = UnsafeBufferPointer(start: word.utf8Start, count: count)
        var place = bytes.startIndex
        while place + count <= bytes.endIndex {
            if bytes[place] == word[0], bytes[place..<place + count].elementsEqual(word) {
                return place + count
            }
            place += 1
        }
        return nil
    }
}
