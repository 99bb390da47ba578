/// Reads JSON5 into nodes that know their places, and goes on behind a mistake to find the next.
///
/// Foundation's own reader tells neither where values stand nor that a key stands twice, and stops at the first
/// mistake; its values are what the tests hold this one against. Left out: escapes in keys without quotes,
/// `Infinity` and `NaN`.
struct JSON5Reader {
    /// Objects and lists inside each other; no sensible file comes near.
    static let maximumDepth = 64
    /// After so many mistakes it is likely no JSON5 at all.
    static let maximumMistakes = 20

    private let source: FlowSource
    let bytes: [UInt8]
    var position = 0
    var issues = FlowIssues()
    private var depth = 0
    /// The closing bytes that are still to come, the next one last.
    private var awaited: [UInt8] = []
    /// Whether a bracket was missing or too much, so that nobody knows what belongs to what from there on.
    var isLost = false
    /// Where brackets were told to be missing or too much.
    private var bracketOffsets: Set<Int> = []
    /// Where a line ends too early for a string.
    var openStrings: [Int] = []
    /// Whether the end has come too early, which is told once.
    var isCut = false

    private init(_ source: FlowSource) {
        self.source = source
        bytes = source.bytes
    }

    /// The value of a whole file; nil if there is none.
    static func read(_ source: FlowSource, _ issues: inout FlowIssues) -> FlowNode? {
        let decoded = String(decoding: source.bytes, as: UTF8.self).utf8
        guard decoded.elementsEqual(source.bytes) else {
            let offset = zip(decoded, source.bytes).enumerated().first { $1.0 != $1.1 }?.offset
            issues.add(.syntax, at: offset ?? source.bytes.count, "the file isn't UTF-8")
            return nil
        }
        var reader = JSON5Reader(source)
        let node = reader.document()
        if let told = reader.quoteSlip(source) ?? reader.bracketSlip(source) {
            for issue in told { issues.add(issue) }
            return nil
        }
        // Where the end comes too early, what is missing there is a part of that.
        let end = (source.bytes.lastIndex { !" \t\r\n".utf8.contains($0) } ?? -1) + 1
        for issue in reader.issues.all where !reader.isCut || issue.offset < end { issues.add(issue) }
        return reader.isLost || reader.isCut ? nil : node
    }

    /// What is left of the mistakes where a bracket is missing or too much: what comes before it, and that.
    ///
    /// Nil if it is told well already.
    private func bracketSlip(_ source: FlowSource) -> [FlowIssue]? {
        guard let first = issues.sorted.first, let slip = BracketSlip(in: source, first: first.offset)
        else { return nil }
        if issues.all.count == 1, !slip.isByIndent { return isLost || isCut ? nil : [first] }
        return issues.sorted.filter { $0.offset < slip.issue.offset && !bracketOffsets.contains($0.offset) }
            + [slip.issue]
    }

    /// What is left of the mistakes where a quote is missing or too much: one for its line, and what came before.
    ///
    /// Nil if all fit together, or if it is told well already, and reading has gone on in the next line.
    private func quoteSlip(_ source: FlowSource) -> [FlowIssue]? {
        guard !issues.all.isEmpty, let string = BracketSlip.openString(in: source) else { return nil }
        let begin = bytes[..<string].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let end = bytes[string...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let found = issues.sorted.filter { !bracketOffsets.contains($0.offset) }
        let own = found.filter { (begin..<end).contains($0.offset) }
        guard let first = own.first else { return nil }
        let isItself = openStrings.contains(first.offset)
        if isItself, own.count == 1, !isLost, !isCut { return nil }
        let issue =
            isItself || first.message.hasPrefix("unknown word")
            ? first
            : FlowIssue(
                .syntax, at: first.offset, "the quotes of this line don't fit together",
                hint: "one is missing, or too much")
        return found.filter { $0.offset < begin } + [issue]
    }

    private mutating func document() -> FlowNode? {
        skipBlanks()
        guard position < bytes.count else {
            if !isCut { issues.add(.syntax, at: 0, "the file is empty") }
            return nil
        }
        let node = value()
        skipBlanks()
        if position < bytes.count, !isHopeless, !isLost {
            issues.add(.syntax, at: position, "nothing may follow the closing brace")
        }
        return node
    }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    var isHopeless: Bool { issues.all.count >= Self.maximumMistakes }

    // MARK: Values

    private mutating func value() -> FlowNode {
        let start = position
        switch peek {
        case UInt8(ascii: "{"): return container(start) { $0.object() }
        case UInt8(ascii: "["): return container(start) { $0.list() }
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return string().map { FlowNode(value: .text($0), offset: start) } ?? broken(start)
        default:
            return scalar() ?? broken(start)
        }
    }

    /// Skips what can't be read, up to where the next value may begin.
    private mutating func broken(_ start: Int) -> FlowNode {
        let ends: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\n")]
        while let byte = peek, !ends.contains(byte) { position += 1 }
        return FlowNode(value: .broken, offset: start)
    }

    private mutating func container(
        _ start: Int, _ read: (inout JSON5Reader) -> FlowNode.Value
    ) -> FlowNode {
        guard depth < Self.maximumDepth else {
            issues.add(.syntax, at: start, "more than \(Self.maximumDepth) levels deep")
            position = bytes.count
            isCut = true
            return FlowNode(value: .broken, offset: start)
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
                reader.issues.add(.duplicateKey, at: member.offset, "\"\(member.key)\" stands here twice")
            }
            members.append(member)
        }
        return .object(members)
    }

    /// Reads what stands between commas up to the closing byte.
    private mutating func elements(
        until end: UInt8, _ what: String, _ read: (inout JSON5Reader) -> Void
    ) {
        let start = position - 1
        awaited.append(end)
        defer { awaited.removeLast() }
        while !isHopeless, !isLost {
            skipBlanks()
            guard let byte = peek else {
                if !isCut {
                    issues.add(.syntax, at: start, "the \(what) is never closed")
                    bracketOffsets.insert(start)
                }
                isCut = true
                return
            }
            if byte == end {
                position += 1
                return
            }
            if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { return lose(byte, start, what) }
            let before = position
            let mistakes = issues.all.count
            read(&self)
            let behind = position
            // What was skipped may have held the comma.
            let wasSkipped =
                issues.all.count > mistakes && behind > 0
                && ![UInt8(ascii: "}"), UInt8(ascii: "]")].contains(bytes[behind - 1])
            skipBlanks()
            if peek == UInt8(ascii: ",") {
                position += 1
            } else if let next = peek, next != UInt8(ascii: "}"), next != UInt8(ascii: "]"), !isHopeless {
                if !wasSkipped { issues.add(.syntax, at: behind, "a comma is missing") }
                // Something must be taken, or this would go on for ever.
                if position == before { position += 1 }
            }
        }
        position = bytes.count
    }

    /// A closing bracket that isn't the one awaited: this is told, and nothing that only follows from it.
    private mutating func lose(_ byte: UInt8, _ start: Int, _ what: String) {
        isLost = true
        let isOuter = awaited.contains(byte)
        bracketOffsets.insert(isOuter ? start : position)
        let sign = byte == UInt8(ascii: "}") ? "}" : "]"
        if isOuter {
            let own = sign == "}" ? "]" : "}"
            issues.add(
                .syntax, at: start, "the \(what) is never closed",
                hint: "a \"\(own)\" is missing before the \"\(sign)\" of \(source.place(at: position))")
        } else {
            issues.add(
                .syntax, at: position, "\"\(sign)\" closes nothing: the \(what) ends with another bracket")
        }
        position = bytes.count
    }

    private mutating func member() -> FlowMember? {
        let start = position
        let key: String?
        if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") {
            key = string()?.string
        } else {
            key = identifier()
            if key == nil {
                issues.add(.syntax, at: start, "a key is wanted here, not \(found)")
            }
        }
        guard let key else {
            _ = broken(start)
            return nil
        }
        skipBlanks()
        if peek == UInt8(ascii: ":") {
            position += 1
        } else {
            issues.add(.syntax, at: position, "a colon is missing after the key")
            // What its value would be isn't known, but that there is one.
            guard let byte = peek, "{[\"'".utf8.contains(byte) else {
                return FlowMember(key: key, offset: start, value: broken(start))
            }
        }
        skipBlanks()
        return FlowMember(key: key, offset: start, value: value())
    }
}
