extension JSON5Reader {
    /// Parses `true`, `false`, `null` or a number.
    mutating func scalar() throws(Stop) -> FlowNode.Value {
        let start = position
        if let word = identifier() {
            let known: [String: FlowNode.Value] = ["true": .bool(true), "false": .bool(false), "null": .null]
            if let value = known[word] { return value }
            let hint = Guess.hint(for: word, among: known.keys) ?? "a string needs quotes"
            try fail(at: start, "unknown word \"\(word)\"", hint: hint)
        }
        if let literal = try number() { return .number(literal) }
        guard position == bytes.count else { try fail(at: start, "expected a value here, not \(found)") }
        // The object or list around it reports that it is never closed.
        return .null
    }

    /// The character at the position, for messages.
    var found: String {
        guard position < bytes.count else { return "the end" }
        let character = String(decoding: bytes[position...].prefix(32), as: UTF8.self).first
        return character.map { $0.isNewline ? "the end of the line" : "'\($0)'" } ?? "the end"
    }

    // MARK: Words

    /// Parses an unquoted key or another word.
    mutating func identifier() -> String? {
        let start = position
        while let scalar = scalarAhead, isLetter(scalar) || (position > start && isDigit(scalar)) {
            position += UTF8.width(scalar)
        }
        return position == start ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        // Most keys are ASCII: avoid the Unicode tables.
        if scalar.isASCII {
            return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
                || scalar == "$"
        }
        return scalar.properties.isAlphabetic
    }

    private func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return ("0"..."9").contains(scalar) }
        return scalar.properties.numericType == .decimal
            || scalar.properties.canonicalCombiningClass != .notReordered
    }

    /// The scalar at the position.
    private var scalarAhead: Unicode.Scalar? {
        if let byte = peek, byte < 0x80 { return Unicode.Scalar(byte) }
        return String(decoding: bytes[position...].prefix(4), as: UTF8.self).unicodeScalars.first
    }

    // MARK: Numbers

    /// Parses a number to JSON syntax; returns nil without a number.
    private mutating func number() throws(Stop) -> String? {
        let start = position
        var isNegative = false
        if let sign = peek, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            position += 1
        }
        let first = position
        while let byte = peek, isPartOfNumber(byte, after: position > first ? bytes[position - 1] : 0) {
            position += 1
        }
        let digits = String(decoding: bytes[first..<position], as: UTF8.self)
        guard !digits.isEmpty else {
            position = start
            return nil
        }
        guard let literal = Self.literal(digits) else { try fail(at: start, "malformed number") }
        return (isNegative ? "-" : "") + literal
    }

    private func isPartOfNumber(_ byte: UInt8, after last: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."):
            true
        case UInt8(ascii: "+"), UInt8(ascii: "-"): last | 0x20 == UInt8(ascii: "e")
        default: false
        }
    }

    /// Converts the digits of a JSON5 number to JSON syntax.
    static func literal(_ digits: String) -> String? {
        if digits.lowercased().hasPrefix("0x") {
            return UInt64(digits.dropFirst(2), radix: 16).map(String.init)
        }
        let parts = digits.lowercased().split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        let mantissa = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = mantissa[0]
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        guard !whole.isEmpty || !fraction.isEmpty, isDigits(whole), isDigits(fraction),
            whole.count < 2 || !whole.hasPrefix("0")
        else { return nil }
        var literal = whole.isEmpty ? "0" : String(whole)
        if !fraction.isEmpty { literal += "." + fraction }
        guard parts.count > 1 else { return literal }
        let exponent = parts[1].hasPrefix("-") || parts[1].hasPrefix("+") ? parts[1].dropFirst() : parts[1]
        guard !exponent.isEmpty, isDigits(exponent) else { return nil }
        return literal + "e" + parts[1]
    }

    private static func isDigits(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }
    }

    // MARK: Blanks

    /// Skips white space and comments.
    mutating func skipBlanks() throws(Stop) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x09...0x0D, 0x20: position += 1
            case UInt8(ascii: "/"):
                guard try skipComment() else { return }
            default:
                guard let scalar = scalarAhead, !scalar.isASCII,
                    scalar == "\u{FEFF}" || scalar.properties.isWhitespace
                else { return }
                position += UTF8.width(scalar)
            }
        }
    }

    private mutating func skipComment() throws(Stop) -> Bool {
        let start = position
        guard position + 1 < bytes.count else { return false }
        if bytes[position + 1] == UInt8(ascii: "/") {
            while let byte = peek, byte != 0x0A, byte != 0x0D { position += 1 }
            return true
        }
        guard bytes[position + 1] == UInt8(ascii: "*") else { return false }
        position += 2
        while position + 1 < bytes.count {
            if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
                position += 2
                return true
            }
            position += 1
        }
        try fail(at: start, "the comment is never closed")
    }
}
