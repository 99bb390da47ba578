extension JSON5Reader {
    /// Parses a string in either kind of quotes.
    mutating func string() throws(Stop) -> FlowText {
        let quote = bytes[position]
        let start = position
        position += 1
        var text: [UInt8] = []
        var marks: [(text: Int, file: Int)] = []
        while let byte = peek, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
            switch byte {
            case quote:
                position += 1
                return FlowText(String(decoding: text, as: UTF8.self), start: start + 1, marks: marks)
            case UInt8(ascii: "\\"):
                for scalar in try escape() { text += Array(String(scalar).utf8) }
                marks.append((text.count, position))
            default:
                text.append(byte)
                position += 1
            }
        }
        try fail(at: start, "the string is never closed")
    }

    /// Parses an escape; returns no scalars for an escaped line break.
    private mutating func escape() throws(Stop) -> [Unicode.Scalar] {
        let start = position
        position += 1
        guard let byte = peek else { try fail(at: start, "the string is never closed") }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return ["\n"]
        case UInt8(ascii: "t"): return ["\t"]
        case UInt8(ascii: "r"): return ["\r"]
        case UInt8(ascii: "b"): return ["\u{8}"]
        case UInt8(ascii: "f"): return ["\u{C}"]
        case UInt8(ascii: "v"): return ["\u{B}"]
        case UInt8(ascii: "0"): return ["\0"]
        case UInt8(ascii: "\n"): return []
        case UInt8(ascii: "\r"):
            if peek == UInt8(ascii: "\n") { position += 1 }
            return []
        case UInt8(ascii: "x"): return [try scalar(digits: 2, start)]
        case UInt8(ascii: "u"): return [try scalar(digits: 4, start)]
        case UInt8(ascii: "1")...UInt8(ascii: "9"): try malformed(start)
        default:
            // Any other character stands for itself.
            position -= 1
            let width = UTF8.width(at: bytes[position])
            let text = String(decoding: bytes[position...].prefix(width), as: UTF8.self)
            position += width
            return text == "\u{2028}" || text == "\u{2029}" ? [] : Array(text.unicodeScalars)
        }
    }

    private mutating func scalar(digits: Int, _ start: Int) throws(Stop) -> Unicode.Scalar {
        guard let first = hexadecimal(digits) else { try malformed(start) }
        if let scalar = Unicode.Scalar(first) { return scalar }
        // A high surrogate: the low one must follow.
        guard first < 0xDC00, peek == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { try malformed(start) }
        position += 2
        guard let second = hexadecimal(4), 0xDC00..<0xE000 ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { try malformed(start) }
        return scalar
    }

    private mutating func hexadecimal(_ count: Int) -> UInt32? {
        let digits = bytes[position...].prefix(count)
        let hexadecimals = String(decoding: digits, as: UTF8.self)
        guard digits.count == count, hexadecimals.allSatisfy(\.isHexDigit) else { return nil }
        position += count
        return UInt32(hexadecimals, radix: 16)
    }

    private mutating func malformed(_ start: Int) throws(Stop) -> Never {
        try fail(at: start, "malformed escape")
    }
}

extension UTF8 {
    /// Returns the length of the UTF-8 sequence that begins with a byte.
    fileprivate static func width(at byte: UInt8) -> Int {
        byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    }
}
