/// Parses a JSONPath query: the segments with their selectors.
///
/// The extensions parse filters, functions and literals. Errors contain the offset at which parsing failed.
struct PathParser {
    let bytes: [UInt8]
    var position = 0
    /// The number of open filters and parentheses.
    var depth = 0

    /// The largest integer that all implementations represent exactly.
    private static let largest = 1 << 53 - 1
    static let maximumDepth = 64

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func parse() throws(JSONError) -> [JSONPath.Segment] {
        guard take("$") else { throw error("A JSONPath begins with $") }
        let segments = try segments()
        guard position == bytes.count else { throw error("Unexpected character in a JSONPath") }
        return segments
    }

    mutating func segments() throws(JSONError) -> [JSONPath.Segment] {
        var result: [JSONPath.Segment] = []
        while true {
            let before = position
            skipSpace()
            guard let segment = try segment() else {
                position = before
                return result
            }
            result.append(segment)
        }
    }

    private mutating func segment() throws(JSONError) -> JSONPath.Segment? {
        if peek == UInt8(ascii: "[") {
            return JSONPath.Segment(isDescendant: false, selectors: try bracketed())
        }
        guard take(".") else { return nil }
        let isDescendant = take(".")
        if isDescendant, peek == UInt8(ascii: "[") {
            return JSONPath.Segment(isDescendant: true, selectors: try bracketed())
        }
        if take("*") { return JSONPath.Segment(isDescendant: isDescendant, selectors: [.wildcard]) }
        return JSONPath.Segment(isDescendant: isDescendant, selectors: [.name(try shorthand())])
    }

    private mutating func shorthand() throws(JSONError) -> String {
        let start = position
        while let byte = peek, PathParser.isNameByte(byte), position > start || byte &- 0x30 > 9 {
            position += 1
        }
        guard position > start else { throw error("A name, * or [ is expected") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
    }

    private mutating func bracketed() throws(JSONError) -> [JSONPath.Selector] {
        position += 1
        var result: [JSONPath.Selector] = []
        repeat {
            skipSpace()
            result.append(try selector())
            skipSpace()
        } while take(",")
        guard take("]") else { throw error("A comma or ] is expected") }
        return result
    }

    private mutating func selector() throws(JSONError) -> JSONPath.Selector {
        switch peek {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .name(try string())
        case UInt8(ascii: "*"):
            position += 1
            return .wildcard
        case UInt8(ascii: "?"):
            position += 1
            skipSpace()
            return .filter(try condition())
        default: return try indexOrSlice()
        }
    }

    private mutating func indexOrSlice() throws(JSONError) -> JSONPath.Selector {
        let start = try integer()
        let before = position
        skipSpace()
        guard take(":") else {
            position = before
            guard let start else { throw error("A selector is expected") }
            return .index(start)
        }
        skipSpace()
        let end = try integer()
        let after = position
        skipSpace()
        guard take(":") else {
            position = after
            return .slice(start: start, end: end, step: 1)
        }
        let last = position
        skipSpace()
        guard let step = try integer() else {
            position = last
            return .slice(start: start, end: end, step: 1)
        }
        return .slice(start: start, end: end, step: step)
    }

    /// Parses a whole number without leading zeros; returns nil if none starts here.
    private mutating func integer() throws(JSONError) -> Int? {
        let start = position
        let isNegative = take("-")
        while let byte = peek, byte &- 0x30 < 10 { position += 1 }
        let digits = bytes[(isNegative ? start + 1 : start)..<position]
        guard let first = digits.first else {
            if isNegative { throw error("A digit is expected") }
            return nil
        }
        guard first != UInt8(ascii: "0") || digits.count == 1 && !isNegative,
            let value = Int(String(decoding: digits, as: UTF8.self)), value <= PathParser.largest
        else {
            position = start
            throw error("A whole number from -(2^53 - 1) to 2^53 - 1 without leading zeros is expected")
        }
        return isNegative ? -value : value
    }
}

extension PathParser {
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ text: StaticString) -> Bool {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[position..<end].elementsEqual(
                UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        else { return false }
        position = end
        return true
    }

    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    func error(_ message: String) -> JSONError {
        let (line, column) = bytes.withUnsafeBytes { TextPlace.lineAndColumn(of: position, in: $0) }
        return JSONError(.invalidPath, message: message, byteOffset: position, line: line, column: column)
    }
}
