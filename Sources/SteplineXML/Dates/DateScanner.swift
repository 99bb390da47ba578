/// Scans the parts of a date from left to right.
struct DateScanner {
    private let bytes: [UInt8]
    private(set) var place = 0

    init(_ text: String) { bytes = Array(ScalarText.trimmed(text).utf8.prefix(200)) }

    var isAtEnd: Bool { place == bytes.count }

    var isAtStart: Bool { place == 0 }

    /// Returns the byte at a distance.
    func peek(_ distance: Int = 0) -> UInt8? {
        place + distance < bytes.count ? bytes[place + distance] : nil
    }

    func isDigit(_ distance: Int = 0) -> Bool { peek(distance).map { $0 >= 48 && $0 <= 57 } ?? false }

    mutating func skip() { place += 1 }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    mutating func blanks() { while let byte = peek(), ScalarText.isBlank(byte) { place += 1 } }

    /// The number of digits that follow.
    var digitCount: Int {
        var count = 0
        while isDigit(count) { count += 1 }
        return count
    }

    /// Parses a number of exactly `count` digits; more digits may follow.
    mutating func digits(_ count: Int) -> Int? {
        guard count > 0, count <= 9, count <= digitCount else { return nil }
        var value = 0
        for byte in bytes[place..<place + count] { value = value * 10 + Int(byte - 48) }
        place += count
        return value
    }

    /// Parses a word, in lower case and without accents.
    mutating func word() -> String? {
        let start = place
        var isPlain = true
        while let byte = peek(), byte | 32 >= 97 && byte | 32 <= 122 || byte >= 0x80 {
            if byte >= 0x80 { isPlain = false }
            place += 1
        }
        guard start < place else { return nil }
        let word = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
        return isPlain ? word : DateNames.withoutAccents(word)
    }

    /// Skips a comment in parentheses.
    mutating func comment() -> Bool {
        guard take("(") else { return false }
        while let byte = peek(), byte != UInt8(ascii: ")") { place += 1 }
        return take(")")
    }
}
