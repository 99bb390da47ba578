extension Scan {
    struct TextEnd {
        /// The address of the closing quote, or of the problem.
        let end: UnsafePointer<UInt8>
        let isEscaped: Bool
        let problem: JSONError.Code?
    }

    /// Continues a string at its first special byte.
    static func restOfText(_ start: UnsafePointer<UInt8>) -> TextEnd {
        var p = start
        var isEscaped = false
        while true {
            let byte = p.pointee
            if byte == UInt8(ascii: "\"") {
                return TextEnd(end: p, isEscaped: isEscaped, problem: nil)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                let (length, problem) = escape(p)
                if let problem { return TextEnd(end: p + length, isEscaped: true, problem: problem) }
                p += length
                // Escapes often follow each other directly.
                if p.pointee == UInt8(ascii: "\\") { continue }
            } else if byte >= 0x80 {
                repeat {
                    // The usual case for non-ASCII text: scalars of three bytes.
                    if isUsualTriple(p) {
                        p += 3
                        continue
                    }
                    let length = scalarLength(p)
                    guard length > 0 else {
                        return TextEnd(end: p, isEscaped: isEscaped, problem: .invalidUTF8)
                    }
                    p += length
                } while p.pointee >= 0x80
            } else if byte < 0x20 {
                return TextEnd(end: p, isEscaped: isEscaped, problem: .controlCharacter)
            }
            p = firstSpecial(p)
        }
    }

    /// Returns whether a well-formed three-byte sequence starts at `p`.
    ///
    /// Returns false for first bytes that restrict the second one, which `scalarLength(_:)` checks.
    @inline(__always)
    private static func isUsualTriple(_ p: UnsafePointer<UInt8>) -> Bool {
        let bytes = UInt32(littleEndian: word(p))
        let first = bytes & 0xFF
        return bytes & 0x00C0_C0F0 == 0x0080_80E0 && first != 0xE0 && first != 0xED
    }

    /// Returns the length of the well-formed UTF-8 sequence at `p`, whose first byte isn't ASCII; 0 if malformed.
    @inline(__always)
    static func scalarLength(_ p: UnsafePointer<UInt8>) -> Int {
        let first = p.pointee
        let second = p[1]
        if first < 0xE0 {
            return first >= 0xC2 && second & 0xC0 == 0x80 ? 2 : 0
        }
        guard second & 0xC0 == 0x80, p[2] & 0xC0 == 0x80 else { return 0 }
        if first < 0xF0 {
            if first == 0xE0 && second < 0xA0 { return 0 }  // overlong
            if first == 0xED && second >= 0xA0 { return 0 }  // a surrogate
            return 3
        }
        guard first <= 0xF4, p[3] & 0xC0 == 0x80 else { return 0 }
        if first == 0xF0 && second < 0x90 { return 0 }
        if first == 0xF4 && second >= 0x90 { return 0 }
        return 4
    }

    /// Returns the length of the escape at `p`; a pair of surrogates is one escape.
    ///
    /// For a malformed escape, the length is the distance from `p` to the problem.
    @inline(__always)
    private static func escape(_ p: UnsafePointer<UInt8>) -> (Int, JSONError.Code?) {
        switch p[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return (2, nil)
        case UInt8(ascii: "u"):
            guard let first = unit(p + 2) else { return (0, .invalidEscape) }
            if first & 0xF800 != 0xD800 { return (6, nil) }
            guard first < 0xDC00, p[6] == UInt8(ascii: "\\"), p[7] == UInt8(ascii: "u"),
                let second = unit(p + 8), second & 0xFC00 == 0xDC00
            else { return (0, .loneSurrogate) }
            return (12, nil)
        // The source ends after the backslash. Report the end as the place, which becomes `.unexpectedEnd`.
        case 0:
            return (1, .invalidEscape)
        default:
            return (0, .invalidEscape)
        }
    }

    @inline(__always)
    private static func unit(_ p: UnsafePointer<UInt8>) -> UInt16? {
        let digits = (
            HexDigit.digit(p[0]), HexDigit.digit(p[1]), HexDigit.digit(p[2]), HexDigit.digit(p[3])
        )
        guard (digits.0 | digits.1 | digits.2 | digits.3) < 16 else { return nil }
        return UInt16(digits.0) &<< 12 | UInt16(digits.1) &<< 8 | UInt16(digits.2) &<< 4 | UInt16(digits.3)
    }
}
