import Foundation

/// The characters of a base64 text that bytes determine alone.
///
/// `shift` bytes stand before them in their group of three.
struct Base64Core {
    let text: [UInt8]
    /// Whether the character before or behind has bits of the bytes as well.
    let spreads: (before: Bool, after: Bool)

    init(_ bytes: [UInt8], shift: Int, isForURLs: Bool) {
        let all = Array(Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString().utf8)
        // Each character has six bits.
        let first = (shift * 8 + 5) / 6
        let end = (shift + bytes.count) * 8 / 6
        spreads = (shift * 8 % 6 != 0, (shift + bytes.count) * 8 % 6 != 0)
        text = all[min(first, end)..<end].map { byte in
            switch byte {
            case UInt8(ascii: "+") where isForURLs: UInt8(ascii: "-")
            case UInt8(ascii: "/") where isForURLs: UInt8(ascii: "_")
            default: byte
            }
        }
    }

    /// Whether a byte is a character of base64.
    static func isOf(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
            || "+/-_=".utf8.contains(byte)
    }
}
