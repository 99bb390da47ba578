import Foundation

/// Parses URLs as people write them.
enum AddressText {
    /// Returns the URL; percent-encodes invalid characters, and `%` unless it begins an escape.
    static func url(_ text: String, relativeTo base: URL? = nil) -> URL? {
        if needsNoEncoding(text) { return URL(string: text, relativeTo: base) }
        var encoded: [UInt8] = []
        let bytes = Array(text.utf8)
        let host = endOfHost(bytes)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
            case UInt8(ascii: "%") where isEncoded(bytes, index): encoded.append(byte)
            case UInt8(ascii: "["), UInt8(ascii: "]"):
                if index < host { encoded.append(byte) } else { escape(byte, &encoded) }
            case _ where isAllowed(byte): encoded.append(byte)
            // Foundation converts an international host name, unless it is percent-encoded.
            case 0x80... where index < host: encoded.append(byte)
            default: escape(byte, &encoded)
            }
        }
        let text = String(decoding: encoded, as: UTF8.self)
        return URL(string: text, relativeTo: base)
    }

    private static func needsNoEncoding(_ text: String) -> Bool {
        text.utf8.allSatisfy { isAllowed($0) && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
    }

    /// Returns the end of the host, in which brackets enclose an IPv6 address; 0 without a host.
    private static func endOfHost(_ bytes: [UInt8]) -> Int {
        guard let slashes = bytes.firstRange(of: Array("//".utf8)),
            !bytes[..<slashes.lowerBound].contains(where: { "/?#".utf8.contains($0) })
        else { return 0 }
        let start = slashes.upperBound
        return bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
    }

    private static func escape(_ byte: UInt8, _ encoded: inout [UInt8]) {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(digit(byte >> 4))
        encoded.append(digit(byte & 15))
    }

    private static func isEncoded(_ bytes: [UInt8], _ index: Int) -> Bool {
        index + 2 < bytes.count && isHex(bytes[index + 1]) && isHex(bytes[index + 2])
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        byte >= 48 && byte <= 57 || byte | 32 >= 97 && byte | 32 <= 102
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        guard byte > 32, byte < 127 else { return false }
        return !"\"%<>\\^`{|}".utf8.contains(byte)
    }
}

/// Parses decimal numbers exactly; the whole text must be a number.
enum DecimalText {
    static func decimal(_ text: String) -> Decimal? {
        guard let number = NumberText(text), number.kind == .finite,
            let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN
        else { return nil }
        return value
    }
}
