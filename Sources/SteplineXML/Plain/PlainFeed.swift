#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Feeds a ``PlainParser`` in pieces, and keeps the incomplete rest of a piece.
struct PlainFeed {
    typealias Bytes = UnsafePointer<UInt8>

    private(set) var parser: PlainParser
    /// The incomplete rest and the input after it.
    private(set) var held: [UInt8] = []
    /// The part of `held` that was already examined without success.
    private var waiting = 0
    /// The column of the parser, from 1.
    private(set) var column = 1

    /// The number of bytes read between checks of the record's size.
    private static let window = 65_536

    init?(_ state: UnsafeMutablePointer<ParserState>) {
        guard let parser = PlainParser(state) else { return nil }
        self.parser = parser
    }

    func destroy() { parser.destroy() }

    /// Reads whole characters; returns false if the parser can't handle the beginning of `held`.
    ///
    /// `check` is called after each window. An incomplete rest is examined again only after it has grown, or if forced.
    mutating func take(
        _ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, isForced: Bool, check: () throws(XMLError) -> Void
    ) throws(XMLError) -> Bool {
        guard !held.isEmpty else { return try read(bytes, isLast: isLast, check) }
        held.append(contentsOf: bytes)
        // Re-examining the rest with every piece would be quadratic.
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

    /// Returns the beginning of the character at a position.
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

    /// The line and the column after all input.
    var end: (line: Int, column: Int) {
        let line = held.reduce(Int(parser.line)) { $0 + ($1 == 10 ? 1 : 0) }
        return (line, held.lastIndex(of: 10).map { held.count - $0 } ?? column + held.count)
    }
}
