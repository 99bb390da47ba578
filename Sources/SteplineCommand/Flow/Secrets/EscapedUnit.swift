/// An escaped character, such as `%2F`, `\n`, `\u00e9` or `&amp;`, with the bytes that it stands for.
struct EscapedUnit {
    let bytes: [UInt8]
    /// The position after the escape.
    let end: Int

    /// Parses the escape at a position; nil if there is none.
    init?(_ text: [UInt8], _ position: Int) {
        switch text[position] {
        case UInt8(ascii: "%"): self.init(percent: text, position)
        case UInt8(ascii: "+"): self.init(bytes: [0x20], end: position + 1)
        case UInt8(ascii: "\\"): self.init(backslash: text, position)
        case UInt8(ascii: "&"): self.init(entity: text, position)
        default: return nil
        }
    }

    private init(bytes: [UInt8], end: Int) {
        self.bytes = bytes
        self.end = end
    }

    private init?(percent text: [UInt8], _ position: Int) {
        guard let value = Self.number(text, position + 1, digits: 2) else { return nil }
        self.init(bytes: [UInt8(value)], end: position + 3)
    }

    private init?(backslash text: [UInt8], _ position: Int) {
        guard position + 1 < text.count else { return nil }
        let next = text[position + 1]
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            self.init(bytes: [next], end: position + 2)
        case UInt8(ascii: "b"): self.init(bytes: [0x08], end: position + 2)
        case UInt8(ascii: "f"): self.init(bytes: [0x0C], end: position + 2)
        case UInt8(ascii: "n"): self.init(bytes: [0x0A], end: position + 2)
        case UInt8(ascii: "r"): self.init(bytes: [0x0D], end: position + 2)
        case UInt8(ascii: "t"): self.init(bytes: [0x09], end: position + 2)
        case UInt8(ascii: "u"): self.init(unicode: text, position)
        // A quotation mark of JSON inside HTML.
        case UInt8(ascii: "&"): self.init(entity: text, position + 1)
        default: return nil
        }
    }

    private init?(unicode text: [UInt8], _ position: Int) {
        guard var value = Self.number(text, position + 2, digits: 4) else { return nil }
        var end = position + 6
        if 0xD800...0xDBFF ~= value, end + 1 < text.count, text[end] == UInt8(ascii: "\\"),
            text[end + 1] == UInt8(ascii: "u"), let low = Self.number(text, end + 2, digits: 4),
            0xDC00...0xDFFF ~= low
        {
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            end += 6
        }
        guard let scalar = Unicode.Scalar(value) else { return nil }
        self.init(bytes: Array(String(scalar).utf8), end: end)
    }

    private static let entities: [(name: [UInt8], byte: UInt8)] = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"),
        ("&#34;", "\""), ("&#x27;", "'"), ("&#x22;", "\""),
    ].map { name, sign in (Array(name.utf8), Array(sign.utf8)[0]) }

    private init?(entity text: [UInt8], _ position: Int) {
        guard let found = Self.entities.first(where: { text[position...].starts(with: $0.name) }) else {
            return nil
        }
        self.init(bytes: [found.byte], end: position + found.name.count)
    }

    private static func number(_ text: [UInt8], _ position: Int, digits: Int) -> UInt32? {
        guard position + digits <= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text[position..<position + digits] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 + UInt32(digit)
        }
        return value
    }
}
