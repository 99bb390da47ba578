import SteplineSupport

/// A JSON Pointer (RFC 6901): the path to one value, as in `/store/book/0/title`.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The unescaped keys and positions of the path.
    public let tokens: [String]

    /// Makes a pointer from unescaped keys and positions.
    public init(tokens: [String]) { self.tokens = tokens }

    /// Parses a pointer.
    ///
    /// - Throws: `JSONError` with the code `.invalidPath` if the text is neither empty nor begins with `/`, or if a `~`
    ///   isn't followed by `0` or `1`.
    public init(_ text: String) throws(JSONError) {
        guard !text.isEmpty else {
            tokens = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw JSONPointer.error("A JSON Pointer begins with a slash", at: 0)
        }
        var tokens: [String] = []
        var token: [UInt8] = []
        var isEscape = false
        for (offset, byte) in text.utf8.enumerated().dropFirst() {
            if isEscape {
                guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else {
                    throw JSONPointer.error("A tilde must be followed by 0 or 1", at: offset)
                }
                token.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
                isEscape = false
            } else if byte == UInt8(ascii: "~") {
                isEscape = true
            } else if byte == UInt8(ascii: "/") {
                tokens.append(String(decoding: token, as: UTF8.self))
                token = []
            } else {
                token.append(byte)
            }
        }
        guard !isEscape else { throw JSONPointer.error("Unexpected tilde at the end", at: text.utf8.count) }
        self.tokens = tokens + [String(decoding: token, as: UTF8.self)]
    }

    /// The pointer as text.
    public var description: String {
        tokens.map { token in
            "/" + token.rewriting { $0 == "~" ? "~0" : $0 == "/" ? "~1" : nil }
        }.joined()
    }

    private static func error(_ message: String, at offset: Int) -> JSONError {
        JSONError(.invalidPath, message: message, byteOffset: offset, column: offset + 1)
    }
}

extension JSON {
    /// The value at a pointer; nil if there is none.
    public subscript(pointer: JSONPointer) -> JSON? {
        var value = self
        for token in pointer.tokens {
            let next = value.word.isArray ? JSONPointer.position(token).flatMap { value[$0] } : value[token]
            guard let next else { return nil }
            value = next
        }
        return value
    }
}

extension JSONPointer {
    /// Returns the position that a token represents: digits without leading zeros.
    fileprivate static func position(_ token: String) -> Int? {
        guard token.utf8.allSatisfy({ $0 &- 0x30 < 10 }),
            token == "0" || token.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return Int(token)
    }
}
