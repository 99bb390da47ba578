import Foundation

/// Resolves the escapes of a string that the parser has found valid.
enum Escapes {
    static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { unescape(bytes, into: $0) }
    }

    /// Writes the resolved bytes, never more than there are escaped ones, and returns how many.
    static func unescape(
        _ bytes: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var read = 0
        var written = 0
        while read < bytes.count {
            let run = bytes[read...].firstIndex(of: UInt8(ascii: "\\")) ?? bytes.count
            if let from = bytes.baseAddress, let to = target.baseAddress, run > read {
                memcpy(to + written, from + read, run - read)
                written += run - read
                read = run
                continue
            }
            let escape = bytes[read + 1]
            if escape == UInt8(ascii: "u") {
                let scalar = scalar(bytes, at: &read)
                for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    target[written] = unit
                    written += 1
                }
            } else {
                target[written] = resolved(escape)
                written += 1
                read += 2
            }
        }
        return written
    }

    /// Whether the escaped bytes stand for the plain ones.
    static func matches(
        _ bytes: UnsafeBufferPointer<UInt8>, _ plain: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard plain.count < bytes.count else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { buffer in
            let count = unescape(bytes, into: buffer)
            return count == plain.count && buffer.prefix(count).elementsEqual(plain)
        }
    }

    private static func resolved(_ escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: escape
        }
    }

    /// The scalar of `\uXXXX`, or of a pair of them, at `read`, which moves behind it.
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, at read: inout Int) -> Unicode.Scalar {
        let first = unit(bytes, at: read + 2)
        read += 6
        guard UTF16.isLeadSurrogate(first), read + 6 <= bytes.count else {
            return Unicode.Scalar(first) ?? "\u{FFFD}"
        }
        let second = unit(bytes, at: read + 2)
        read += 6
        let value = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16 {
        var value: UInt16 = 0
        for offset in 0..<4 where index + offset < bytes.count {
            value = value << 4 | UInt16(HexDigit.value(of: bytes[index + offset]) ?? 0)
        }
        return value
    }
}

/// The value of a hexadecimal digit.
enum HexDigit {
    @inline(__always)
    static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte &- 0x30
        case 0x41...0x46: byte &- 0x37
        case 0x61...0x66: byte &- 0x57
        default: nil
        }
    }
}
