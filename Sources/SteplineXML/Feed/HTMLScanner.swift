import CLibXML2

/// A tokenizer for HTML: texts and tags.
struct HTMLScanner {
    enum Token {
        case text(Range<Int>)
        /// A tag with its name in lower case and its range.
        case tag(name: String, isEnd: Bool, Range<Int>)
        /// A comment, a declaration, or the content of a script.
        case nothing
    }

    let bytes: [UInt8]
    private var place = 0

    init(_ html: String) { bytes = Array(html.utf8) }

    mutating func next() -> Token? {
        guard place < bytes.count else { return nil }
        if bytes[place] == UInt8(ascii: "<"), let token = markup() { return token }
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
        return .text(start..<place)
    }

    private func byte(_ distance: Int) -> UInt8? {
        place + distance < bytes.count ? bytes[place + distance] : nil
    }

    private mutating func markup() -> Token? {
        guard let next = byte(1) else { return nil }
        if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
            let isComment = byte(2) == UInt8(ascii: "-") && byte(3) == UInt8(ascii: "-")
            skip(past: isComment ? Array("-->".utf8) : Array(">".utf8))
            return .nothing
        }
        let isEnd = next == UInt8(ascii: "/")
        let start = place
        var end = place + (isEnd ? 2 : 1)
        guard end < bytes.count, bytes[end] | 32 >= 97, bytes[end] | 32 <= 122 else { return nil }
        let nameStart = end
        while end < bytes.count, Self.continuesName(bytes[end]) { end += 1 }
        let name = String(decoding: bytes[nameStart..<end], as: UTF8.self).lowercased()
        place = endOfTag(from: end)
        if !isEnd, name == "script" || name == "style" {
            skip(past: Array("</\(name)".utf8))
            skip(past: Array(">".utf8))
            return .nothing
        }
        return .tag(name: name, isEnd: isEnd, start..<place)
    }

    private static func continuesName(_ byte: UInt8) -> Bool {
        byte | 32 >= 97 && byte | 32 <= 122 || byte >= 48 && byte <= 58 || byte == 45
    }

    /// Returns the position after the `>` outside quotes.
    private func endOfTag(from start: Int) -> Int {
        var quote: UInt8 = 0
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
        }
        return index
    }

    private mutating func skip(past word: [UInt8]) {
        var index = place
        while index + word.count <= bytes.count {
            if zip(bytes[index...], word).allSatisfy({ $0 == $1 || $0 | 32 == $1 }) {
                place = index + word.count
                return
            }
            index += 1
        }
        place = bytes.count
    }
}

/// The named and numeric characters of HTML.
enum HTMLCharacter {
    /// Returns the character with a name.
    static func named(_ name: String) -> Unicode.Scalar? {
        guard let found = htmlEntityLookup(name) else { return name == "apos" ? "'" : nil }
        return Unicode.Scalar(found.pointee.value)
    }

    /// Resolves references such as `&amp;` and `&#228;`; leaves unknown ones.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var rest = bytes
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            output.append(contentsOf: rest[..<mark])
            let reference = rest[(mark + 1)...].prefix(32).prefix { Self.continues($0) }
            if let scalar = scalar(reference) {
                output.append(contentsOf: String(scalar).utf8)
                rest = rest[reference.endIndex...]
                if rest.first == UInt8(ascii: ";") { rest = rest.dropFirst() }
            } else {
                output.append(UInt8(ascii: "&"))
                rest = rest[(mark + 1)...]
            }
        }
        output.append(contentsOf: rest)
        return String(decoding: output, as: UTF8.self)
    }

    private static func continues(_ byte: UInt8) -> Bool {
        byte | 32 >= 97 && byte | 32 <= 122 || byte >= 48 && byte <= 57 || byte == UInt8(ascii: "#")
    }

    private static func scalar(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let text = String(decoding: reference, as: UTF8.self)
        guard text.hasPrefix("#") else { return text.isEmpty ? nil : named(text) }
        let digits = text.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        guard let number = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10) else {
            return nil
        }
        // Numbers in this range mean windows-1252, as in browsers.
        if (0x80...0x9F).contains(number) { return Unicode.Scalar(windows1252[Int(number) - 0x80]) }
        return number == 0 ? "\u{FFFD}" : Unicode.Scalar(number) ?? "\u{FFFD}"
    }

    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
        0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
        0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
