#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Feeds a ``PlainParser`` with a document that comes in pieces, and keeps what of a piece has to wait.
struct PlainFeed {
    typealias Bytes = UnsafePointer<UInt8>

    private(set) var parser: PlainParser
    /// What has been read to no end yet, and what came after it.
    private(set) var held: [UInt8] = []
    /// How much of `held` was looked at in vain.
    private var waiting = 0
    /// Where in its line the parser is, counted from 1.
    private(set) var column = 1

    /// So much is read at once, between looks at how large a record has become.
    private static let window = 65_536

    init?(_ state: UnsafeMutablePointer<ParserState>) {
        guard let parser = PlainParser(state) else { return nil }
        self.parser = parser
    }

    func destroy() { parser.destroy() }

    /// Takes whole characters; false for what the parser doubts, which stands at the beginning of `held` then.
    ///
    /// `check` is called after each window. What waits is looked at again only when it has grown, or if that is forced.
    mutating func take(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, isForced: Bool, check: () throws(XMLError) -> Void
    ) throws(XMLError) -> Bool {
        guard !held.isEmpty else { return try read(bytes, isLast: isLast, check) }
        held.append(contentsOf: bytes)
        // What waits would be looked through again with every piece.
        guard isLast || isForced || held.count - waiting > waiting / 4 else { return true }
        let all = held
        held = []
        return try all.withUnsafeBufferPointer { (all) throws(XMLError) in
            try read(all, isLast: isLast, check)
        }
    }

    private mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, _ check: () throws(XMLError) -> Void
    ) throws(XMLError) -> Bool {
        waiting = 0
        guard let start = bytes.baseAddress else { return parser.isComplete || !isLast }
        let end = start + bytes.count
        var window = Self.window
        parser.cursor = start
        while true {
            let from = parser.cursor
            parser.end = Self.boundary(from + min(window, end - from), before: end)
            parser.isLast = isLast && parser.end == end
            let progress = parser.parse()
            advance(from: from)
            try check()
            let isOver = parser.end == end
            guard progress == .hungry, !isOver || !isLast || parser.isComplete else {
                held = Array(UnsafeBufferPointer(start: parser.cursor, count: end - parser.cursor))
                return false
            }
            if isOver { break }
            window = parser.cursor > from ? Self.window : window * 2
        }
        held = Array(UnsafeBufferPointer(start: parser.cursor, count: end - parser.cursor))
        waiting = held.count
        return true
    }

    /// The beginning of the character that a place is in.
    private static func boundary(_ place: Bytes, before end: Bytes) -> Bytes {
        guard place < end else { return end }
        var place = place
        while place.pointee & 0xC0 == 0x80 { place -= 1 }
        return place
    }

    private mutating func advance(from start: Bytes) {
        let count = parser.cursor - start
        guard let last = UnsafeBufferPointer(start: start, count: count).lastIndex(of: 10) else {
            column += count
            return
        }
        column = count - last
    }

    /// The line and column after all that has been taken.
    var end: (line: Int, column: Int) {
        let line = held.reduce(Int(parser.line)) { $0 + ($1 == 10 ? 1 : 0) }
        return (line, held.lastIndex(of: 10).map { held.count - $0 } ?? column + held.count)
    }
}
