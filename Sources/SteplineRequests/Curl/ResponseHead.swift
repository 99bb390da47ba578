/// The parser of a response's head, line by line, for input from a possibly hostile server.
///
/// | Place | Next line | Left by |
/// | --- | --- | --- |
/// | before | a status line | a valid status line |
/// | inside | a header, or an empty line | the empty line |
/// | behind | a trailer, which is ignored | |
///
/// An interim response (1xx) returns from `inside` to `before`. All lines count for the limits, including interim
/// responses and trailers. Errors are final: the caller ends the transfer.
///
/// A line costs one append to the head's bytes and one pass over them. Names and values become strings only when they
/// are read: a load that succeeds reads one or two of them.
struct ResponseHead {
    /// The limits of a line, of all lines, and of the number of lines.
    static let lineLimit = 32 << 10
    static let limit = 256 << 10
    static let mostLines = 2000

    enum Reading {
        case more
        case complete(HeadFields)
        /// The input isn't HTTP, for the given reason.
        case malformed(String)
    }

    private enum Place { case before, inside, after }

    private var place = Place.before
    private var fields = HeadFields()
    private var size = 0
    private var lines = 0

    /// Whether the head of the final response is complete.
    var isComplete: Bool { place == .after }

    /// Whether nothing but interim responses has arrived.
    var isEmpty: Bool { place == .before }

    /// Reads one line, with or without its line break.
    mutating func read(_ line: some Collection<UInt8>) -> Reading {
        // Count first: the limits also bound the work for ignored lines.
        let count = line.count
        size += count
        lines += 1
        guard lines <= Self.mostLines else {
            return .malformed("the response's head has more than \(Self.mostLines) lines")
        }
        guard count <= Self.lineLimit, size <= Self.limit else {
            return .malformed("the response's head is too long")
        }
        let added = fields.append(line)
        // A bare CR or LF inside a line could split the response for another parser.
        guard let added else { return .malformed("a control character in the response's head") }
        switch place {
        case .before:
            guard fields.readStatus(added) else { return .malformed("the status line isn't that of HTTP") }
            place = .inside
            return .more
        case .inside where added.isEmpty:
            return end()
        case .inside:
            return fields.readField(added)
                ? .more : .malformed("a line of the response's head isn't a header")
        case .after:
            fields = HeadFields()
            return .more
        }
    }

    private mutating func end() -> Reading {
        let complete = fields
        fields = HeadFields()
        // An interim response: the final head follows.
        place = complete.status >= 200 ? .after : .before
        return place == .after ? .complete(complete) : .more
    }
}
