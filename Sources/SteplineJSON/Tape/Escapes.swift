import Foundation

/// Resolves the escapes of a string that the parser has validated.
enum Escapes {
    static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { unescape(bytes, into: $0) }
    }

    /// Writes the resolved bytes, at most as many as the escaped ones, and returns their number.
    static func unescape(
        _ bytes: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        guard let from = bytes.baseAddress, let to = target.baseAddress else { return 0 }
        let count = bytes.count
        var read = 0
        var written = 0
        while read < count {
            if from[read] != UInt8(ascii: "\\") {
                let run = plainRun(from + read, count &- read)
                (to + written).update(from: from + read, count: run)
                read &+= run
                written &+= run
            } else if from[read &+ 1] == UInt8(ascii: "u") {
                written &+= write(scalar(bytes, at: &read), to + written)
            } else {
                to[written] = resolved(from[read &+ 1])
                written &+= 1
                read &+= 2
            }
        }
        return written
    }

    /// Returns the number of bytes before the next backslash.
    @inline(__always)
    private static func plainRun(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
        let raw = UnsafeRawPointer(start)
        var index = 0
        while index &+ 8 <= count {
            let bytes = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let others = bytes ^ 0x5C5C_5C5C_5C5C_5C5C
            let found = (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < count, start[index] != UInt8(ascii: "\\") { index &+= 1 }
        return index
    }

    @inline(__always)
    private static func write(_ scalar: Unicode.Scalar, _ target: UnsafeMutablePointer<UInt8>) -> Int {
        let value = scalar.value
        func rest(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: value &>> shift & 0x3F | 0x80) }
        if value < 0x80 {
            target[0] = UInt8(truncatingIfNeeded: value)
            return 1
        } else if value < 0x800 {
            target[0] = UInt8(truncatingIfNeeded: value &>> 6 | 0xC0)
            target[1] = rest(0)
            return 2
        } else if value < 0x10000 {
            target[0] = UInt8(truncatingIfNeeded: value &>> 12 | 0xE0)
            target[1] = rest(6)
            target[2] = rest(0)
            return 3
        }
        target[0] = UInt8(truncatingIfNeeded: value &>> 18 | 0xF0)
        target[1] = rest(12)
        target[2] = rest(6)
        target[3] = rest(0)
        return 4
    }

    /// Returns whether the escaped bytes represent the plain ones.
    ///
    /// Cost: at most linear in the plain bytes.
    static func matches(
        _ bytes: UnsafeBufferPointer<UInt8>, _ plain: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard plain.count < bytes.count else { return false }
        var read = 0
        var matched = 0
        while read < bytes.count {
            guard bytes[read] == UInt8(ascii: "\\") else {
                guard matched < plain.count, plain[matched] == bytes[read] else { return false }
                read += 1
                matched += 1
                continue
            }
            guard bytes[read + 1] == UInt8(ascii: "u") else {
                guard matched < plain.count, plain[matched] == resolved(bytes[read + 1]) else { return false }
                read += 2
                matched += 1
                continue
            }
            for unit in UTF8.encode(scalar(bytes, at: &read)) ?? UTF8.encodedReplacementCharacter {
                guard matched < plain.count, plain[matched] == unit else { return false }
                matched += 1
            }
        }
        return matched == plain.count
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

    /// Returns the scalar of the `\uXXXX` escape, or pair of escapes, at `read`, and advances `read` past it.
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
        guard index &+ 4 <= bytes.count else { return 0xFFFD }
        for offset in 0..<4 {
            value = value &<< 4 | UInt16(truncatingIfNeeded: HexDigit.digit(bytes[index &+ offset]))
        }
        return value
    }
}

/// The values of hexadecimal digits.
enum HexDigit {
    /// Returns the value of a hexadecimal digit, or a number above 15 for any other byte.
    @inline(__always)
    static func digit(_ byte: UInt8) -> UInt8 {
        let decimal = byte &- 0x30
        let letter = (byte | 0x20) &- 0x61
        return decimal < 10 ? decimal : letter < 6 ? letter &+ 10 : 0xFF
    }

    static func value(of byte: UInt8) -> UInt8? {
        let digit = digit(byte)
        return digit < 16 ? digit : nil
    }
}
