/// Finds in an expression what libxml2 reports too late or without a place: unbound prefixes, unknown functions,
/// and nesting that would cost it much stack.
struct QueryLexer {
    private let bytes: [UInt8]
    private let namespaces: [String: String]
    private var place = 0
    private var nesting = 0
    private var steps = 0

    /// Generous for anything a person writes.
    private static let limits = (length: 16_384, nesting: 64, steps: 1_024)

    private static let functions: Set<String> = [
        "last", "position", "count", "id", "local-name", "namespace-uri", "name", "string", "concat",
        "starts-with",
        "contains", "substring-before", "substring-after", "substring", "string-length", "normalize-space",
        "translate", "boolean", "not", "true", "false", "lang", "number", "sum", "floor", "ceiling", "round",
        "text",
        "comment", "node", "processing-instruction",
    ]

    static func check(_ expression: String, namespaces: [String: String]) throws(XMLError) {
        var lexer = QueryLexer(bytes: Array(expression.utf8), namespaces: namespaces)
        try lexer.run()
    }

    private init(bytes: [UInt8], namespaces: [String: String]) {
        self.bytes = bytes
        self.namespaces = namespaces
    }

    private mutating func run() throws(XMLError) {
        guard bytes.count <= Self.limits.length else {
            throw tooComplex("is longer than \(Self.limits.length) bytes")
        }
        guard !bytes.contains(0) else { throw wrong("a NUL character", at: 0) }
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                guard let end = bytes[(place + 1)...].firstIndex(of: byte) else {
                    throw wrong("a text isn't closed", at: place)
                }
                place = end + 1
            case UInt8(ascii: "("), UInt8(ascii: "["):
                nesting += 1
                try step()
            case UInt8(ascii: ")"), UInt8(ascii: "]"):
                nesting -= 1
                try step()
            case _ where Self.startsName(byte): try name()
            case _ where Self.isDigit(byte):
                while place < bytes.count, Self.isDigit(bytes[place]) || bytes[place] == UInt8(ascii: ".") {
                    place += 1
                }
                steps += 1
            default: try step()
            }
        }
    }

    private mutating func step() throws(XMLError) {
        place += 1
        if bytes[place - 1] != UInt8(ascii: " ") { steps += 1 }
        if nesting > Self.limits.nesting { throw tooComplex("nests deeper than \(Self.limits.nesting)") }
        if steps > Self.limits.steps { throw tooComplex("has more than \(Self.limits.steps) parts") }
    }

    private mutating func name() throws(XMLError) {
        let start = place
        let first = word()
        let isPrefixed =
            peek(0) == UInt8(ascii: ":")
            && peek(1).map { Self.startsName($0) || $0 == UInt8(ascii: "*") } == true
        if isPrefixed, namespaces[first] == nil, first != "xml" {
            throw XMLError(.namespace, "the prefix '\(first)' isn't bound to a namespace", column: start + 1)
        }
        var called = first
        if isPrefixed {
            place += 1
            called = peek(0) == UInt8(ascii: "*") ? "*" : "\(first):\(word())"
        }
        var next = place
        while next < bytes.count,
            bytes[next] == 32 || bytes[next] == 9 || bytes[next] == 10 || bytes[next] == 13
        { next += 1 }
        let isCall = next < bytes.count && bytes[next] == UInt8(ascii: "(")
        let isOperator = ["and", "or", "div", "mod"].contains(first)
        if isCall, !isOperator, !Self.functions.contains(called),
            !(start > 0 && bytes[start - 1] == UInt8(ascii: "$"))
        {
            throw wrong("there is no function '\(called)'", at: start)
        }
        steps += 1
    }

    private mutating func word() -> String {
        let start = place
        while place < bytes.count, Self.continuesName(bytes[place]) { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private func peek(_ distance: Int) -> UInt8? {
        place + distance < bytes.count ? bytes[place + distance] : nil
    }

    private static func startsName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_")
            || (byte | 32 >= UInt8(ascii: "a") && byte | 32 <= UInt8(ascii: "z"))
    }

    private static func continuesName(_ byte: UInt8) -> Bool {
        startsName(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || isDigit(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private func wrong(_ message: String, at offset: Int) -> XMLError {
        XMLError(.query, message, column: offset + 1)
    }

    private func tooComplex(_ message: String) -> XMLError {
        XMLError(.limit, "the expression \(message)", column: place + 1, limit: .queryComplexity)
    }
}
