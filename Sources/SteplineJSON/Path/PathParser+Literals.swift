extension PathParser {
    /// Parses a string in single or double quotes, and resolves its escapes.
    mutating func string() throws(JSONError) -> String {
        guard let quote = peek else { throw error("A string is expected") }
        position += 1
        var result: [UInt8] = []
        while let byte = peek {
            if byte == quote {
                position += 1
                return String(decoding: result, as: UTF8.self)
            }
            guard byte >= 0x20 else { throw error("Control character in a string") }
            if byte == UInt8(ascii: "\\") {
                result += try escape(quote)
            } else {
                result.append(byte)
                position += 1
            }
        }
        throw error("The string has no end")
    }

    private mutating func escape(_ quote: UInt8) throws(JSONError) -> [UInt8] {
        position += 1
        guard let byte = peek else { throw error("The string has no end") }
        switch byte {
        case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"):
            position += 1
            return [byte]
        case UInt8(ascii: "u"):
            position += 1
            return Array(String(Character(try scalar())).utf8)
        default:
            let codes: [UInt8: UInt8] = [0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09]
            guard let code = codes[byte] else { throw error("Malformed escape in a string") }
            position += 1
            return [code]
        }
    }

    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take("\\u") else { throw error("Half of a surrogate pair") }
        let second = try unit()
        guard second & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF))
        else { throw error("Half of a surrogate pair") }
        return scalar
    }

    private mutating func unit() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = HexDigit.value(of: byte) else {
                throw error("Four hexadecimal digits are expected")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    /// Parses a string, number, Boolean or null; returns nil if none starts here.
    mutating func literal() throws(JSONError) -> JSON? {
        switch peek {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return JSON(try string())
        case UInt8(ascii: "-"), .some(0x30...0x39): return try number()
        default:
            for (word, value) in [("true", JSON(true)), ("false", JSON(false)), ("null", JSON.null)] {
                let end = position + word.utf8.count
                if end <= bytes.count, bytes[position..<end].elementsEqual(word.utf8) {
                    position = end
                    return value
                }
            }
            return nil
        }
    }

    private mutating func number() throws(JSONError) -> JSON {
        let start = position
        while let byte = peek, byte &- 0x30 < 10 || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) {
            position += 1
        }
        do {
            return try JSON(parsing: String(decoding: bytes[start..<position], as: UTF8.self))
        } catch {
            position = start
            throw self.error("Malformed number")
        }
    }
}
