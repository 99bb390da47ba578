/// Scans an expression, and limits its length and depth.
struct QueryScanner {
    private let bytes: [UInt8]
    private(set) var place = 0
    private var nesting = 0
    private var parts = 0

    /// The limits, far beyond handwritten expressions.
    private static let limits = (length: 16_384, nesting: 64, parts: 1_024)

    init(_ expression: String) throws(XMLError) {
        bytes = Array(expression.utf8)
        guard bytes.count <= Self.limits.length else {
            throw tooComplex("is longer than \(Self.limits.length) bytes")
        }
        if let place = bytes.firstIndex(of: 0) { throw wrong("a NUL character", at: place) }
    }

    var isAtEnd: Bool { place == bytes.count }

    /// Returns the next non-blank byte without consuming it.
    mutating func next() -> UInt8? {
        while place < bytes.count, ScalarText.isBlank(bytes[place]) { place += 1 }
        return peek()
    }

    /// Returns the byte at a distance, including blanks.
    func peek(_ distance: Int = 0) -> UInt8? {
        place + distance < bytes.count ? bytes[place + distance] : nil
    }

    /// Consumes a symbol if it comes next.
    mutating func take(_ symbol: StaticString) throws(XMLError) -> Bool {
        guard next() != nil else { return false }
        let count = symbol.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[place + offset] != symbol.utf8Start[offset] { return false }
        place += count
        try part()
        return true
    }

    /// Consumes the first matching symbol.
    mutating func take(anyOf symbols: [StaticString]) throws(XMLError) -> Bool {
        for symbol in symbols {
            if try take(symbol) { return true }
        }
        return false
    }

    mutating func expect(_ symbol: StaticString, _ message: String) throws(XMLError) {
        guard try take(symbol) else { throw wrong(message) }
    }

    /// Counts a part of the expression.
    mutating func part() throws(XMLError) {
        parts += 1
        guard parts <= Self.limits.parts else { throw tooComplex("has more than \(Self.limits.parts) parts") }
    }

    mutating func enter() throws(XMLError) {
        nesting += 1
        guard nesting <= Self.limits.nesting else {
            throw tooComplex("nests deeper than \(Self.limits.nesting)")
        }
    }

    mutating func leave() { nesting -= 1 }

    /// Parses a name without prefix at this position; nil if there is none.
    mutating func name() -> String? {
        guard let first = peek(), Self.startsName(first) else { return nil }
        let start = place
        while let byte = peek(), Self.continuesName(byte) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// Returns to an earlier position.
    mutating func back(to place: Int) { self.place = place }

    /// Parses a quoted text if one follows.
    mutating func literal() throws(XMLError) -> Bool {
        guard let quote = next(), quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
            return false
        }
        guard let end = bytes[(place + 1)...].firstIndex(of: quote) else {
            throw wrong("a text isn't closed")
        }
        place = end + 1
        try part()
        return true
    }

    /// Parses `1`, `1.5`, `1.` or `.5` if one follows.
    mutating func number() throws(XMLError) -> Bool {
        guard let first = next() else { return false }
        guard Self.isDigit(first) || (first == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true) else {
            return false
        }
        digits()
        if peek() == UInt8(ascii: ".") {
            place += 1
            digits()
        }
        try part()
        return true
    }

    private mutating func digits() { while let byte = peek(), Self.isDigit(byte) { place += 1 } }

    static func startsName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_")
            || (byte | 32 >= UInt8(ascii: "a") && byte | 32 <= UInt8(ascii: "z"))
    }

    private static func continuesName(_ byte: UInt8) -> Bool {
        startsName(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || isDigit(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    func wrong(_ message: String, at offset: Int? = nil) -> XMLError {
        XMLError(.query, message, column: (offset ?? place) + 1)
    }

    private func tooComplex(_ message: String) -> XMLError {
        XMLError(.limit, "the expression \(message)", column: place + 1, limit: .queryComplexity)
    }
}
