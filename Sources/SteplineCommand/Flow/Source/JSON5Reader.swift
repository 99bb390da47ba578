/// Parses JSON5 into nodes with file offsets, and continues after an error to find more.
///
/// Foundation's parser reports neither the places of values nor duplicate keys, and stops at the first error. Tests
/// compare the values of both parsers. Unsupported: escapes in unquoted keys, `Infinity` and `NaN`.
///
/// A file with syntax errors has no value. Only the first error of each line is reported: further ones mostly follow
/// from the first. A mismatched bracket stops the parser, and is reported unless there is an earlier error.
struct JSON5Reader {
    /// The largest depth of objects and lists.
    static let maximumDepth = 64
    /// The number of errors after which reading stops: the file is probably no JSON5.
    static let maximumMistakes = 20

    private let source: FlowSource
    let bytes: [UInt8]
    var position = 0
    private var issues = FlowIssues()
    private var depth = 0
    /// The awaited closing brackets, innermost last.
    private var awaited: [UInt8] = []
    /// Whether reading has stopped, because of a mismatched bracket or an early end.
    private var isOver = false
    /// The line of the latest syntax error.
    private var mistakenLine = 0
    private var mistakes = 0

    private init(_ source: FlowSource) {
        self.source = source
        bytes = source.bytes
    }

    /// Reads a whole file; returns nil if it has no value.
    static func read(_ source: FlowSource, _ issues: inout FlowIssues) -> FlowNode? {
        guard source.isText(&issues) else { return nil }
        var reader = JSON5Reader(source)
        let node = reader.document()
        for issue in reader.issues.all { issues.add(issue) }
        return reader.mistakes == 0 ? node : nil
    }

    /// Reports a syntax error, unless its line already has one.
    mutating func wrong(at offset: Int, _ message: String, hint: String? = nil) {
        guard !isOver else { return }
        let line = source.place(at: offset).line
        if line != mistakenLine { issues.add(.syntax, at: offset, message, hint: hint) }
        mistakenLine = line
        mistakes += 1
        if mistakes == Self.maximumMistakes { stop() }
    }

    /// Reports an error that stops reading, unless there is an earlier one.
    mutating func fail(at offset: Int, _ message: String, hint: String? = nil) {
        if mistakes == 0 { wrong(at: offset, message, hint: hint) }
        stop()
    }

    private mutating func stop() {
        isOver = true
        position = bytes.count
    }

    private mutating func document() -> FlowNode? {
        skipBlanks()
        guard position < bytes.count else {
            fail(at: 0, "the file is empty")
            return nil
        }
        let node = value()
        skipBlanks()
        if position < bytes.count { wrong(at: position, "nothing may follow the closing brace") }
        return node
    }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    // MARK: Values

    private mutating func value() -> FlowNode {
        let start = position
        switch peek {
        case UInt8(ascii: "{"): return container(start) { $0.object() }
        case UInt8(ascii: "["): return container(start) { $0.list() }
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return string().map { FlowNode(value: .text($0), offset: start) } ?? skip(start)
        default:
            return scalar() ?? skip(start)
        }
    }

    /// Skips unreadable text up to the next possible value; returns a placeholder.
    private mutating func skip(_ start: Int) -> FlowNode {
        let ends: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\n")]
        while let byte = peek, !ends.contains(byte) { position += 1 }
        return FlowNode(value: .null, offset: start)
    }

    private mutating func container(
        _ start: Int, _ read: (inout JSON5Reader) -> FlowNode.Value
    ) -> FlowNode {
        guard depth < Self.maximumDepth else {
            fail(at: start, "more than \(Self.maximumDepth) levels deep")
            return FlowNode(value: .null, offset: start)
        }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return FlowNode(value: read(&self), offset: start)
    }

    private mutating func list() -> FlowNode.Value {
        var nodes: [FlowNode] = []
        elements(until: UInt8(ascii: "]"), "list") { reader in nodes.append(reader.value()) }
        return .list(nodes)
    }

    private mutating func object() -> FlowNode.Value {
        var members: [FlowMember] = []
        var places: [String: Int] = [:]
        elements(until: UInt8(ascii: "}"), "object") { reader in
            guard let member = reader.member() else { return }
            if places.updateValue(member.offset, forKey: member.key) != nil {
                reader.issues.add(.duplicateKey, at: member.offset, "duplicate key \"\(member.key)\"")
            }
            members.append(member)
        }
        return .object(members)
    }

    /// Parses elements between commas up to the closing bracket.
    private mutating func elements(
        until end: UInt8, _ what: String, _ read: (inout JSON5Reader) -> Void
    ) {
        let start = position - 1
        awaited.append(end)
        defer { awaited.removeLast() }
        while !isOver {
            skipBlanks()
            guard let byte = peek else { return fail(at: start, "the \(what) is never closed") }
            if byte == end {
                position += 1
                return
            }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { return lose(byte, start, what) }
            let before = position
            let found = mistakes
            read(&self)
            let after = position
            // The skipped text may have contained the comma.
            let wasSkipped =
                mistakes > found && after > 0
                && ![UInt8(ascii: "}"), UInt8(ascii: "]")].contains(bytes[after - 1])
            skipBlanks()
            if peek == UInt8(ascii: ",") {
                position += 1
            } else if let next = peek, next != UInt8(ascii: "}"), next != UInt8(ascii: "]") {
                if !wasSkipped { wrong(at: after, "a comma is missing") }
                // Advance in any case, so that the loop ends.
                if position == before { position += 1 }
            }
        }
    }

    /// Reports a closing bracket that doesn't match.
    private mutating func lose(_ byte: UInt8, _ start: Int, _ what: String) {
        let sign = byte == UInt8(ascii: "}") ? "}" : "]"
        guard awaited.contains(byte) else {
            return fail(at: position, "\"\(sign)\" closes nothing: the \(what) ends with another bracket")
        }
        let own = sign == "}" ? "]" : "}"
        fail(
            at: start, "the \(what) is never closed",
            hint: "a \"\(own)\" is missing before the \"\(sign)\" of \(source.place(at: position))")
    }

    private mutating func member() -> FlowMember? {
        let start = position
        let key: String?
        if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") {
            key = string()?.string
        } else {
            key = identifier()
            if key == nil {
                wrong(at: start, "expected a key here, not \(found)")
            }
        }
        guard let key else {
            _ = skip(start)
            return nil
        }
        skipBlanks()
        if peek == UInt8(ascii: ":") {
            position += 1
        } else {
            wrong(at: position, "a colon is missing after the key")
            guard let byte = peek, "{[\"'".utf8.contains(byte) else {
                return FlowMember(key: key, offset: start, value: skip(start))
            }
        }
        skipBlanks()
        return FlowMember(key: key, offset: start, value: value())
    }
}
