/// Parses JSON5 into nodes with file offsets; stops at the first syntax error.
///
/// Foundation's parser reports neither the places of values nor duplicate keys. Tests compare the values of both
/// parsers. Unsupported: escapes in unquoted keys, `Infinity` and `NaN`.
struct JSON5Reader {
    /// The largest depth of objects and lists.
    static let maximumDepth = 64

    /// Ends reading after an error was reported.
    struct Stop: Error {}

    private let source: FlowSource
    let bytes: [UInt8]
    var position = 0
    private var issues = FlowIssues()
    /// The awaited closing brackets, innermost last.
    private var awaited: [UInt8] = []

    private init(_ source: FlowSource) {
        self.source = source
        bytes = source.bytes
    }

    /// Reads a whole file; returns nil if it has no value.
    static func read(_ source: FlowSource, _ issues: inout FlowIssues) -> FlowNode? {
        guard source.isText(&issues) else { return nil }
        var reader = JSON5Reader(source)
        let node = try? reader.document()
        for issue in reader.issues.all { issues.add(issue) }
        return node
    }

    /// Reports a syntax error, which ends reading.
    mutating func fail(at offset: Int, _ message: String, hint: String? = nil) throws(Stop) -> Never {
        issues.add(.syntax, at: offset, message, hint: hint)
        throw Stop()
    }

    private mutating func document() throws(Stop) -> FlowNode {
        try skipBlanks()
        guard position < bytes.count else { try fail(at: 0, "the file is empty") }
        let node = try value()
        try skipBlanks()
        guard position == bytes.count else {
            try fail(at: position, "nothing may follow the closing brace")
        }
        return node
    }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    // MARK: Values

    private mutating func value() throws(Stop) -> FlowNode {
        let start = position
        let value: FlowNode.Value
        switch peek {
        case UInt8(ascii: "{"): value = try object()
        case UInt8(ascii: "["): value = try list()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): value = .text(try string())
        default: value = try scalar()
        }
        return FlowNode(value: value, offset: start)
    }

    private mutating func list() throws(Stop) -> FlowNode.Value {
        let nodes = try elements(until: UInt8(ascii: "]"), "list") { (reader) throws(Stop) in
            try reader.value()
        }
        return .list(nodes)
    }

    private mutating func object() throws(Stop) -> FlowNode.Value {
        let members = try elements(until: UInt8(ascii: "}"), "object") { (reader) throws(Stop) in
            try reader.member()
        }
        var known: Set<String> = []
        for member in members where !known.insert(member.key).inserted {
            // A file with duplicate keys is checked further.
            issues.add(.duplicateKey, at: member.offset, "duplicate key \"\(member.key)\"")
        }
        return .object(members)
    }

    /// Parses elements between commas, with the brackets around them.
    private mutating func elements<Element>(
        until end: UInt8, _ what: String, _ read: (inout JSON5Reader) throws(Stop) -> Element
    ) throws(Stop) -> [Element] {
        let start = position
        guard awaited.count < Self.maximumDepth else {
            try fail(at: start, "more than \(Self.maximumDepth) levels deep")
        }
        awaited.append(end)
        defer { awaited.removeLast() }
        position += 1
        var all: [Element] = []
        while true {
            try skipBlanks()
            guard let byte = peek else { try fail(at: start, "the \(what) is never closed") }
            if byte == end {
                position += 1
                return all
            }
            if Self.isClosing(byte) { try lose(byte, start, what) }
            all.append(try read(&self))
            let after = position
            try skipBlanks()
            guard let next = peek, !Self.isClosing(next) else { continue }
            guard next == UInt8(ascii: ",") else { try fail(at: after, "a comma is missing") }
            position += 1
        }
    }

    private static func isClosing(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    }

    /// Reports a closing bracket that doesn't match.
    private mutating func lose(_ byte: UInt8, _ start: Int, _ what: String) throws(Stop) -> Never {
        let sign = byte == UInt8(ascii: "}") ? "}" : "]"
        guard awaited.contains(byte) else {
            try fail(at: position, "\"\(sign)\" closes nothing: the \(what) ends with another bracket")
        }
        let own = sign == "}" ? "]" : "}"
        try fail(
            at: start, "the \(what) is never closed",
            hint: "a \"\(own)\" is missing before the \"\(sign)\" of \(source.place(at: position))")
    }

    private mutating func member() throws(Stop) -> FlowMember {
        let start = position
        let key: String
        if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") {
            key = try string().string
        } else if let word = identifier() {
            key = word
        } else {
            try fail(at: start, "expected a key here, not \(found)")
        }
        try skipBlanks()
        guard peek == UInt8(ascii: ":") else {
            try fail(at: position, "a colon is missing after the key")
        }
        position += 1
        try skipBlanks()
        return FlowMember(key: key, offset: start, value: try value())
    }
}
