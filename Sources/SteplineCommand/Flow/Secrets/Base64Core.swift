import Foundation

/// The part of a base64 text that given bytes determine completely.
///
/// `shift` bytes precede them in their group of three.
struct Base64Core {
    let text: [UInt8]
    /// Whether the adjacent characters also contain bits of the bytes.
    let spreads: (before: Bool, after: Bool)

    init(_ bytes: [UInt8], shift: Int, isForURLs: Bool) {
        let all = Array(Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString().utf8)
        // Each base64 character encodes six bits.
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

    /// Returns whether a byte is a base64 character.
    static func isOf(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
            || "+/-_=".utf8.contains(byte)
    }
}
