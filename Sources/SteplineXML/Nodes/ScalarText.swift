/// Parses scalars in the format of XML Schema.
enum ScalarText {
    /// Converts a trimmed text (a `String` stays untrimmed); booleans may also be `1` and `0`.
    static func value<T: LosslessStringConvertible>(_ text: String) -> T? {
        if T.self == String.self { return text as? T }
        let trimmed = trimmed(text)
        if T.self == Bool.self { return truth(trimmed) as? T }
        if let type = T.self as? any BinaryFloatingPoint.Type {
            return NumberText(trimmed).flatMap { floating(type, $0) } as? T
        }
        return T(trimmed)
    }

    /// Converts a complete decimal number; returns nil for values beyond the type's range.
    private static func floating<F: BinaryFloatingPoint>(_ type: F.Type, _ number: NumberText) -> F? {
        switch number.kind {
        case .nan: return .nan
        case .infinite(let isNegative): return isNegative ? -.infinity : .infinity
        case .finite:
            guard let double = Double(number.text), double.isFinite else { return nil }
            // Convert directly from text if possible, to avoid double rounding.
            let lossless = (F.self as? any LosslessStringConvertible.Type)?.init(number.text) as? F
            let value = lossless ?? F(double)
            return value.isFinite ? value : nil
        }
    }

    static func truth(_ text: String) -> Bool? {
        switch text {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// Returns the text without leading and trailing XML white space.
    static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        guard let first = bytes.first, let last = bytes.last else { return text }
        guard isBlank(first) || isBlank(last) else { return text }
        guard let start = bytes.firstIndex(where: { !isBlank($0) }),
            let end = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(text[start...end])
    }

    /// Returns the words between XML white space.
    static func words(_ text: String) -> [String] {
        text.utf8.split(whereSeparator: isBlank).map { String(Substring($0)) }
    }

    /// Returns the text on one line: trimmed, and each run of white space as one space.
    static func collapsed(_ text: String) -> String {
        var last: UInt8 = 32
        let isCollapsed = text.utf8.allSatisfy { byte in
            defer { last = byte }
            return !isBlank(byte) || byte == 32 && last != 32
        }
        return isCollapsed && last != 32 ? text : words(text).joined(separator: " ")
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 10 || byte == 13 || byte == 9 }
}

/// A text that is a decimal number or a special value.
struct NumberText {
    enum Kind: Equatable {
        case finite, nan
        case infinite(isNegative: Bool)
    }

    let text: String
    let kind: Kind

    /// Creates the number; nil for other texts.
    ///
    /// `+1.5e-3`, `.5` and `5.` are numbers; `INF`, `-INF` and `NaN` are
    /// special.
    init?(_ text: String) {
        self.text = text
        switch text {
        case "NaN": kind = .nan
        case "INF", "+INF", "Infinity": kind = .infinite(isNegative: false)
        case "-INF", "-Infinity": kind = .infinite(isNegative: true)
        default:
            guard Self.isDecimal(text.utf8) else { return nil }
            kind = .finite
        }
    }

    private static func isDecimal(_ bytes: String.UTF8View) -> Bool {
        var rest = bytes[...]
        skipSign(&rest)
        var digits = skipDigits(&rest)
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            digits += skipDigits(&rest)
        }
        guard digits > 0 else { return false }
        if let byte = rest.first, byte | 32 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            skipSign(&rest)
            guard skipDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func skipSign(_ rest: inout Substring.UTF8View) {
        if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    }

    private static func skipDigits(_ rest: inout Substring.UTF8View) -> Int {
        let after = rest.drop { $0 >= 48 && $0 <= 57 }
        defer { rest = after }
        return rest.count - after.count
    }
}
