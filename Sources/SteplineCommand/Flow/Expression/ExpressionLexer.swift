import SteplineJSON

/// Splits a formula into words, numbers, strings and signs.
struct ExpressionLexer {
    enum Token: Equatable {
        case word(String)
        case number(String)
        case text(String)
        case sign(String)
        case end
    }

    private static let signs = [
        "==", "!=", "<=", ">=", "&&", "||", "??", "+", "-", "*", "/", "%", "<", ">", "!", "(", ")", "[", "]",
        "{", "}", ".", ",", ":", "?",
    ]

    private let bytes: [UInt8]
    private let text: FlowText
    private(set) var position: Int

    /// Creates a lexer; `bytes` belong to the whole text, which may contain several formulas.
    init(_ text: FlowText, _ bytes: [UInt8], from start: Int) {
        self.text = text
        self.bytes = bytes
        position = start
    }

    func fileOffset(_ position: Int) -> Int { text.fileOffset(of: position) }

    /// Returns the next token and its position in the text.
    mutating func next() throws(ExpressionError) -> (token: Token, start: Int) {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        let start = position
        guard position < bytes.count else { return (.end, start) }
        let byte = bytes[position]
        if isDigit(byte) { return (try number(), start) }
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return (try string(byte), start) }
        if isLetter(byte) {
            while position < bytes.count, isLetter(bytes[position]) || isDigit(bytes[position]) {
                position += 1
            }
            return (.word(string(from: start)), start)
        }
        let rest = bytes[start...]
        if let sign = Self.signs.first(where: { rest.starts(with: $0.utf8) }) {
            position += sign.utf8.count
            return (.sign(sign), start)
        }
        let hints = ["=": "to compare, write ==", "&": "write &&", "|": "write ||"]
        let character = String(decoding: rest.prefix(32), as: UTF8.self).prefix(1)
        throw error("unexpected '\(character)'", at: start, hint: hints[String(character)])
    }

    func error(_ message: String, at position: Int, hint: String? = nil) -> ExpressionError {
        ExpressionError(offset: fileOffset(position), message: message, hint: hint)
    }

    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private func string(from start: Int) -> String {
        String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func number() throws(ExpressionError) -> Token {
        let start = position
        var last: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            let isSign =
                last | 0x20 == UInt8(ascii: "e") && (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"))
            guard isDigit(byte) || byte == UInt8(ascii: ".") || isLetter(byte) || isSign else { break }
            last = byte
            position += 1
        }
        let literal = string(from: start)
        guard (try? JSON(parsing: literal))?.kind == .number else {
            throw error("malformed number \(literal)", at: start)
        }
        return .number(literal)
    }

    private mutating func string(_ quote: UInt8) throws(ExpressionError) -> Token {
        let start = position
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote { return .text(String(decoding: content, as: UTF8.self)) }
            guard byte == UInt8(ascii: "\\"), position < bytes.count else {
                content.append(byte)
                continue
            }
            switch bytes[position] {
            case UInt8(ascii: "n"): content.append(0x0A)
            case UInt8(ascii: "t"): content.append(0x09)
            case quote, UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""):
                content.append(bytes[position])
            // Keep unknown escapes, for regular expressions: '\d'.
            default: content += [byte, bytes[position]]
            }
            position += 1
        }
        throw error("the string is never closed", at: start)
    }
}
