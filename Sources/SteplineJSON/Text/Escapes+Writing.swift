extension JSON {
    /// Appends a text as a JSON string, or null, without a value for it.
    package static func append(_ text: String?, to bytes: inout [UInt8]) {
        guard var text else {
            bytes += "null".utf8
            return
        }
        bytes.append(0x22)
        text.withUTF8 { text in
            if text.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
                bytes += Escapes.escaped(text)
            } else {
                bytes += text
            }
        }
        bytes.append(0x22)
    }

    /// Appends texts as a JSON array.
    package static func append(_ texts: [String?], to bytes: inout [UInt8]) {
        bytes.append(0x5B)
        for (place, text) in texts.enumerated() {
            if place > 0 { bytes.append(0x2C) }
            append(text, to: &bytes)
        }
        bytes.append(0x5D)
    }
}

extension Escapes {
    /// Returns the bytes as they are written in a JSON string.
    static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 8)
        for byte in bytes {
            switch byte {
            case 0x22, 0x5C: result += [0x5C, byte]
            case 0x0A: result += Array("\\n".utf8)
            case 0x0D: result += Array("\\r".utf8)
            case 0x09: result += Array("\\t".utf8)
            case 0x08: result += Array("\\b".utf8)
            case 0x0C: result += Array("\\f".utf8)
            case 0..<0x20:
                result += Array((byte < 16 ? "\\u000" : "\\u00").utf8) + Array(String(byte, radix: 16).utf8)
            default: result.append(byte)
            }
        }
        return result
    }
}
