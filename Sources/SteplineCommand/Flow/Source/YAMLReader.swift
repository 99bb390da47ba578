import CYAML

/// Builds nodes with file offsets from the events of libyaml, by the core schema of YAML 1.2.
///
/// The nodes are those that `JSON5Reader` builds for the same values: everything behind them is shared. An alias
/// repeats the nodes of its anchor, with their offsets; an error in them is reported once, at the anchor. Merge keys,
/// tags beyond the core schema, further documents and keys that aren't text are refused.
///
/// The first error ends reading, except a duplicate key. Depth is bounded as in JSON5. Aliases can nest, so the text
/// that they repeat is bounded: 20 lines can stand for billions of values.
struct YAMLReader {
    /// The largest amount of text that aliases repeat, in bytes of the file.
    static let mostRepeated = 1 << 20

    /// A node, and what an alias of it repeats.
    private struct Built {
        let node: FlowNode
        /// The bytes of its text, counting repeated text as copies.
        let size: Int
        /// The levels of lists and objects in it.
        let height: Int
    }

    private enum Anchor {
        /// The anchored value is being read.
        case open
        case complete(Built)
    }

    /// Ends reading after an error was reported.
    struct Stop: Error {}

    let source: FlowSource
    private let parser: OpaquePointer
    private var issues = FlowIssues()
    private var anchors: [String: Anchor] = [:]
    private var repeated = 0
    /// The number of a character, as libyaml counts them, and its offset; positions are needed nearly in order.
    private var cursor: (character: Int, offset: Int)

    private init(_ source: FlowSource, _ parser: OpaquePointer, start: Int) {
        self.source = source
        self.parser = parser
        cursor = (0, start)
    }

    /// Whether libyaml can be used.
    static var isAvailable: Bool { cyaml_is_there() }

    /// Reads a whole file; returns nil if it has no value.
    static func read(_ source: FlowSource, _ issues: inout FlowIssues) -> FlowNode? {
        guard isAvailable else {
            issues.add(
                .syntax, at: 0, "YAML needs libyaml 0.2, which isn't found",
                hint: "install it (Debian: libyaml-0-2), or write JSON5")
            return nil
        }
        guard source.isText(&issues), source.isForLibYAML(&issues) else { return nil }
        return source.bytes.withUnsafeBufferPointer { bytes in
            let start = bytes.starts(with: FlowSource.byteOrderMark) ? FlowSource.byteOrderMark.count : 0
            guard let base = bytes.baseAddress, bytes.count > start else {
                issues.add(.syntax, at: 0, "the file is empty")
                return nil
            }
            guard let parser = cyaml_open(base + start, bytes.count - start) else {
                issues.add(.syntax, at: 0, "there is no memory to read the file")
                return nil
            }
            defer { cyaml_close(parser) }
            var reader = YAMLReader(source, parser, start: start)
            let node = try? reader.document()
            for issue in reader.issues.all { issues.add(issue) }
            return node
        }
    }

    // MARK: Errors

    /// Reports an error, which ends reading.
    mutating func fail(at offset: Int, _ message: String, hint: String? = nil) throws(Stop) -> Never {
        issues.add(.syntax, at: offset, message, hint: hint)
        throw Stop()
    }

    /// Returns the beginning of a text from the file, for messages.
    static func shown(_ text: String) -> String {
        let start = String(text.prefix(40))
        return start.utf8.count == text.utf8.count ? text : start + "…"
    }

    /// Returns the next event; throws at a syntax error.
    private mutating func next() throws(Stop) -> cyaml_event {
        let event = cyaml_next(parser)
        guard event.kind == CYAML_MISTAKE else { return event }
        let mistake = YAMLMistake(
            cyaml_problem(parser), in: source, offset: { self.offset(of: $0) })
        try fail(at: mistake.offset, mistake.message, hint: mistake.hint)
    }

    /// Returns the offset of a character, given its number.
    private mutating func offset(of character: Int) -> Int {
        let bytes = source.bytes
        while cursor.character < character, cursor.offset < bytes.count {
            cursor.offset += 1
            while cursor.offset < bytes.count, !FlowSource.beginsCharacter(bytes[cursor.offset]) {
                cursor.offset += 1
            }
            cursor.character += 1
        }
        while cursor.character > character, cursor.offset > 0 {
            cursor.offset -= 1
            while cursor.offset > 0, !FlowSource.beginsCharacter(bytes[cursor.offset]) { cursor.offset -= 1 }
            cursor.character -= 1
        }
        return cursor.offset
    }

    // MARK: Nodes

    private mutating func document() throws(Stop) -> FlowNode {
        var event = try next()
        while event.kind == CYAML_STREAM_START { event = try next() }
        guard event.kind == CYAML_DOCUMENT_START else { try fail(at: 0, "the file is empty") }
        if event.version != 0, event.version != 102 {
            try fail(
                at: offset(of: event.start), "the file must be YAML 1.2", hint: "remove the line %YAML")
        }
        let root = try node(try next(), depth: 0)
        _ = try next()
        event = try next()
        if event.kind != CYAML_STREAM_END {
            try fail(
                at: offset(of: event.start), "a workflow file has only one document",
                hint: "remove it, or put it in a file of its own")
        }
        return root.node
    }

    private mutating func node(_ event: cyaml_event, depth: Int) throws(Stop) -> Built {
        let start = offset(of: event.start)
        if event.kind == CYAML_ALIAS { return try alias(event, start, depth: depth) }
        let anchor = event.anchor.map { String(cString: $0) }
        if let anchor { anchors[anchor] = .open }
        let built: Built
        switch event.kind {
        case CYAML_LIST_START, CYAML_OBJECT_START:
            let isList = event.kind == CYAML_LIST_START
            let place = content(event, from: start)
            try checkTag(event, start, isList: isList)
            guard depth < JSON5Reader.maximumDepth else {
                try fail(at: place, "more than \(JSON5Reader.maximumDepth) levels deep")
            }
            built = isList ? try list(place, depth: depth + 1) : try object(place, depth: depth + 1)
        default:
            let (value, place) = try scalar(event, start)
            built = Built(
                node: FlowNode(value: value, offset: place), size: event.length + 1, height: 0)
        }
        if let anchor { anchors[anchor] = .complete(built) }
        return built
    }

    private mutating func list(_ start: Int, depth: Int) throws(Stop) -> Built {
        var nodes: [FlowNode] = []
        var (size, height) = (1, 0)
        while true {
            let event = try next()
            if event.kind == CYAML_LIST_END { break }
            let element = try node(event, depth: depth)
            nodes.append(element.node)
            size += element.size
            height = max(height, element.height)
        }
        return Built(node: FlowNode(value: .list(nodes), offset: start), size: size, height: height + 1)
    }

    private mutating func object(_ start: Int, depth: Int) throws(Stop) -> Built {
        var members: [FlowMember] = []
        var known: Set<String> = []
        var (size, height) = (1, 0)
        while true {
            let event = try next()
            if event.kind == CYAML_OBJECT_END { break }
            let key = try self.key(event, depth: depth)
            let value = try node(try next(), depth: depth)
            size += value.size + key.name.utf8.count
            height = max(height, value.height)
            if !known.insert(key.name).inserted {
                // As in JSON5, a file with duplicate keys is checked further.
                issues.add(.duplicateKey, at: key.offset, "duplicate key \"\(key.name)\"")
            }
            members.append(FlowMember(key: key.name, offset: key.offset, value: value.node))
        }
        return Built(node: FlowNode(value: .object(members), offset: start), size: size, height: height + 1)
    }

    /// Reads a key, which is text.
    private mutating func key(
        _ event: cyaml_event, depth: Int
    ) throws(Stop) -> (name: String, offset: Int) {
        let start = offset(of: event.start)
        switch event.kind {
        case CYAML_ALIAS: try fail(at: start, "an alias can't be a key", hint: "write the key itself")
        case CYAML_SCALAR:
            if event.style == CYAML_PLAIN, event.tag == nil, event.text == "<<" {
                try fail(
                    at: start, "the merge key << isn't supported",
                    hint: "write the members out, or quote the key")
            }
            // Anchors of keys are of no use, but correct.
            let node = try self.node(event, depth: depth).node
            if let text = node.text { return (text.string, node.offset) }
            let word = event.text
            let shown = Self.shown(word)
            try fail(
                at: node.offset,
                word.isEmpty ? "a key is missing" : "the key \(shown) is \(node.kind), not text",
                hint: word.isEmpty ? nil : "write \"\(shown)\"")
        default:
            try fail(
                at: start, "\(event.kind == CYAML_LIST_START ? "a list" : "an object") can't be a key",
                hint: "quote a text that begins with '[' or '{'")
        }
    }

    private mutating func alias(_ event: cyaml_event, _ start: Int, depth: Int) throws(Stop) -> Built {
        let name = event.anchor.map { String(cString: $0) } ?? ""
        switch anchors[name] {
        case .complete(let target):
            repeated += target.size
            guard repeated <= Self.mostRepeated else {
                try fail(at: start, "aliases repeat more than \(Self.mostRepeated >> 20) MiB of text")
            }
            guard depth + target.height <= JSON5Reader.maximumDepth else {
                try fail(at: start, "more than \(JSON5Reader.maximumDepth) levels deep")
            }
            return Built(
                node: FlowNode(value: target.node.value, offset: start), size: target.size,
                height: target.height)
        case .open:
            try fail(at: start, "the value of &\(Self.shown(name)) can't contain itself")
        case nil:
            // A suggestion searches all names.
            let guess = anchors.count <= 1000 ? Guess.hint(for: name, among: Array(anchors.keys)) : nil
            try fail(
                at: start, "there is no anchor &\(Self.shown(name)) before this alias",
                hint: guess ?? "quote a text that begins with '*'")
        }
    }

    /// Returns the offset of a node's content, behind its anchor and tag.
    mutating func content(_ event: cyaml_event, from start: Int) -> Int {
        guard event.anchor != nil || event.tag != nil else { return start }
        let end = offset(of: event.end)
        var place = start
        while place < end {
            switch source.bytes[place] {
            case UInt8(ascii: "&"), UInt8(ascii: "!"):
                while place < end, source.bytes[place] > 0x20 { place += 1 }
            case UInt8(ascii: "#"):
                while place < end, source.bytes[place] != 0x0A, source.bytes[place] != 0x0D { place += 1 }
            case 0x09, 0x0A, 0x0D, 0x20: place += 1
            default: return place
            }
        }
        return end
    }

    /// Returns the offset behind an event.
    mutating func end(of event: cyaml_event) -> Int { offset(of: event.end) }
}

extension cyaml_event {
    /// The text of a scalar.
    var text: String {
        value.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: length), as: UTF8.self) } ?? ""
    }
}
