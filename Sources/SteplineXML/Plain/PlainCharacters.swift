/// The syntactic classes of bytes for the plain parser, one lookup each.
enum PlainCharacters {
    /// A byte without special meaning in a text.
    static let ordinary: UInt8 = 1
    /// A byte without special meaning in an attribute value.
    static let ordinaryInValue: UInt8 = 2
    /// A byte that may begin a name.
    static let startsName: UInt8 = 4
    static let isInName: UInt8 = 8
    static let isBlank: UInt8 = 16

    /// The classes of all bytes, allocated once and never freed.
    nonisolated(unsafe) static let classes: UnsafePointer<UInt8> = {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        for byte in 0..<256 { table[byte] = classes(of: UInt8(byte)) }
        return UnsafePointer(table)
    }()

    private static func classes(of byte: UInt8) -> UInt8 {
        let character = Character(UnicodeScalar(byte))
        var found: UInt8 = 0
        if byte == 9 || byte >= 32, byte != 0xEF {
            if !"<&]".contains(character) { found |= ordinary }
            if byte >= 32, !"<&\"'".contains(character) { found |= ordinaryInValue }
        }
        if byte < 0x80, character.isLetter || character == "_" { found |= startsName | isInName }
        if byte < 0x80, character.isNumber || character == "-" || character == "." { found |= isInName }
        if byte == 32 || byte == 9 || byte == 10 || byte == 13 { found |= isBlank }
        return found
    }

    /// Returns whether a character outside ASCII may begin a name, by the fifth edition of XML 1.0.
    static func startsName(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
            0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
            0x10000...0xEFFFF:
            true
        default: false
        }
    }

    /// Returns whether a character outside ASCII may continue a name.
    static func isInName(_ scalar: UInt32) -> Bool {
        startsName(scalar) || scalar == 0xB7 || (0x300...0x36F).contains(scalar)
            || (0x203F...0x2040).contains(scalar)
    }

    /// Returns whether a document may contain the character.
    static func isAllowed(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }

    /// Returns the length of a character in validated UTF-8 by its first byte.
    @inline(__always)
    static func length(_ byte: UInt8) -> Int { byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4 }

    /// Returns a multi-byte character in validated UTF-8.
    static func scalar(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
        switch length(bytes[0]) {
        case 2: UInt32(bytes[0] & 0x1F) << 6 | UInt32(bytes[1] & 0x3F)
        case 3:
            UInt32(bytes[0] & 0xF) << 12 | UInt32(bytes[1] & 0x3F) << 6 | UInt32(bytes[2] & 0x3F)
        case 4:
            UInt32(bytes[0] & 7) << 18 | UInt32(bytes[1] & 0x3F) << 12 | UInt32(bytes[2] & 0x3F) << 6
                | UInt32(bytes[3] & 0x3F)
        default: UInt32(bytes[0])
        }
    }
}
