/// A bracket that is missing or too much, whatever stands between the others: one slip, of which much else follows.
///
/// Which kind of bracket there is too few of, the whole file says; where, the first bracket that doesn't fit, or whose line
/// is less indented than that of the bracket which it seems to close.
struct BracketSlip {
    private struct Opening {
        let byte: UInt8
        let offset: Int
        let line: Int
        let indent: Int
    }

    /// What is told, but for its place in words.
    let issue: FlowIssue
    /// Whether its place is told by how lines are indented.
    let isByIndent: Bool

    /// Nil if all brackets fit together, or if a string or comment that is never closed has some of them.
    ///
    /// - Parameter first: Where the reader has found something wrong first.
    init?(in source: FlowSource, first: Int) {
        var scan = Scan(source.bytes)
        guard scan.run() else { return nil }
        let end = scan.misfit
        for (opening, closing) in [("{", "}"), ("[", "]")] {
            let byte = Array(opening.utf8)[0]
            let surplus = scan.surplus[byte] ?? 0
            let what = opening == "{" ? "object" : "list"
            if surplus > 0 {
                let suspect = scan.suspect.flatMap { $0.opening.byte == byte ? $0 : nil }
                guard let opened = suspect?.opening ?? scan.open.last(where: { $0.byte == byte }) else {
                    continue
                }
                let behind = suspect?.closing ?? end
                isByIndent = suspect != nil
                let hint = behind.map { offset in
                    let sign = Character(Unicode.Scalar(source.bytes[offset]))
                    return "a \"\(closing)\" is missing before the \"\(sign)\" of \(source.place(at: offset))"
                }
                issue = FlowIssue(
                    .syntax, .error, at: opened.offset, "the \(what) is never closed", hint: hint)
                return
            }
            if surplus < 0, let end {
                isByIndent = false
                let words =
                    first < end
                    ? "a \"\(opening)\" is missing before this, or the \"\(closing)\" of \(source.place(at: end)) is too much"
                    : "\"\(closing)\" closes nothing"
                issue = FlowIssue(.syntax, .error, at: min(first, end), words)
                return
            }
        }
        return nil
    }

    /// Where a quote begins a string that isn't closed in its line, as one quote of the line is missing or too much.
    static func openString(in source: FlowSource) -> Int? {
        var scan = Scan(source.bytes)
        return scan.run() ? nil : scan.openString
    }

    /// Goes through a file's brackets.
    private struct Scan {
        private let bytes: [UInt8]
        private var position = 0
        private var line = 0
        private var indent = 0
        /// Whether nothing has come yet in its line.
        private var isFirst = true
        /// How many brackets of a kind, by its opening one, are opened more often than closed.
        private(set) var surplus: [UInt8: Int] = [:]
        /// What is open at the first closing bracket that doesn't fit, or at the end.
        private(set) var open: [Opening] = []
        /// Where that bracket is.
        private(set) var misfit: Int?
        /// Where a string begins that is never closed.
        private(set) var openString: Int?
        /// A bracket that seems to be closed by another's.
        private(set) var suspect: (opening: Opening, closing: Int)?

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// False if a string or a comment is never closed.
        mutating func run() -> Bool {
            while position < bytes.count {
                let byte = bytes[position]
                switch byte {
                case UInt8(ascii: "\n"):
                    line += 1
                    indent = 0
                    isFirst = true
                    position += 1
                    continue
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                    if isFirst { indent += 1 }
                    position += 1
                    continue
                case UInt8(ascii: "\""), UInt8(ascii: "'"): guard skipString(byte) else { return false }
                case UInt8(ascii: "/"): guard skipComment() else { return false }
                case UInt8(ascii: "{"), UInt8(ascii: "["): opens(byte)
                case UInt8(ascii: "}"): closes(UInt8(ascii: "{"))
                case UInt8(ascii: "]"): closes(UInt8(ascii: "["))
                default: break
                }
                isFirst = false
                position += 1
            }
            return true
        }

        private mutating func opens(_ byte: UInt8) {
            surplus[byte, default: 0] += 1
            guard misfit == nil else { return }
            open.append(Opening(byte: byte, offset: position, line: line, indent: indent))
        }

        private mutating func closes(_ byte: UInt8) {
            surplus[byte, default: 0] -= 1
            guard misfit == nil else { return }
            guard let last = open.last, last.byte == byte else {
                misfit = position
                return
            }
            open.removeLast()
            if suspect == nil, isFirst, last.line != line, indent < last.indent { suspect = (last, position) }
        }

        /// To the closing quote, on which it leaves the position.
        private mutating func skipString(_ quote: UInt8) -> Bool {
            let start = position
            position += 1
            while position < bytes.count, bytes[position] != quote, bytes[position] != UInt8(ascii: "\n") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            if position < bytes.count, bytes[position] == quote { return true }
            openString = start
            return false
        }

        /// To the last of its bytes; what is no comment is left as it is.
        private mutating func skipComment() -> Bool {
            switch position + 1 < bytes.count ? bytes[position + 1] : 0 {
            case UInt8(ascii: "/"):
                while position + 1 < bytes.count, bytes[position + 1] != UInt8(ascii: "\n") { position += 1 }
                return true
            case UInt8(ascii: "*"):
                position += 3
                while position < bytes.count {
                    if bytes[position] == UInt8(ascii: "/"), bytes[position - 1] == UInt8(ascii: "*") {
                        return true
                    }
                    position += 1
                }
                return false
            default: return true
            }
        }
    }
}
