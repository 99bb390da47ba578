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
struct ResponseHead {
    /// The limits of a line, of all lines, and of the number of lines.
    static let lineLimit = 32 << 10
    static let limit = 256 << 10
    static let mostLines = 2000

    /// The values of a complete head.
    struct Fields: Sendable, Equatable {
        var status = 0
        var version = ""
        /// The header values by name; values of the same name are joined with commas.
        var values: [String: String] = [:]
        /// The values of `Set-Cookie`, which can't be joined.
        var cookies: [String] = []
    }

    enum Reading: Equatable {
        case more
        case complete(Fields)
        /// The input isn't HTTP, for the given reason.
        case malformed(String)
    }

    private enum Place { case before, inside, after }

    private var place = Place.before
    private var fields = Fields()
    /// The first spelling of each name, by its lowercase form.
    private var spellings: [String: String] = [:]
    private var lastName: String?
    private var size = 0
    private var lines = 0

    /// Whether the head of the final response is complete.
    var isComplete: Bool { place == .after }

    /// Whether nothing but interim responses has arrived.
    var isEmpty: Bool { place == .before }

    /// Reads one line, with or without its line break.
    mutating func read(_ line: some Collection<UInt8>) -> Reading {
        // Count first: the limits also bound the work for ignored lines.
        size += line.count
        lines += 1
        guard lines <= Self.mostLines else {
            return .malformed("the response's head has more than \(Self.mostLines) lines")
        }
        guard line.count <= Self.lineLimit, size <= Self.limit else {
            return .malformed("the response's head is too long")
        }
        let bytes = withoutLineEnd(Array(line))
        // A bare CR or LF inside a line could split the response for another parser.
        guard !bytes.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
            return .malformed("a control character in the response's head")
        }
        switch place {
        case .before:
            guard readStatus(bytes) else { return .malformed("the status line isn't that of HTTP") }
            place = .inside
            return .more
        case .inside where bytes.isEmpty:
            return end()
        case .inside:
            return readField(bytes) ? .more : .malformed("a line of the response's head isn't a header")
        case .after:
            return .more
        }
    }

    private func withoutLineEnd(_ line: [UInt8]) -> ArraySlice<UInt8> {
        var bytes = line[...]
        if bytes.last == 10 { bytes.removeLast() }
        if bytes.last == 13 { bytes.removeLast() }
        return bytes
    }

    private mutating func end() -> Reading {
        guard fields.status >= 200 else {
            // An interim response: the final head follows.
            (place, fields, spellings, lastName) = (.before, Fields(), [:], nil)
            return .more
        }
        place = .after
        return .complete(fields)
    }

    private mutating func readStatus(_ bytes: ArraySlice<UInt8>) -> Bool {
        let words = bytes.split(separator: 32, maxSplits: 2)
        // The reason phrase is optional and ignored.
        // Other protocols, such as ICY, are rejected.
        guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), words[1].count == 3 else { return false }
        let digits = words[1].map { Int($0) - 48 }
        guard digits.allSatisfy((0...9).contains), digits[0] > 0 else { return false }
        fields.version = text(words[0])
        fields.status = digits.reduce(0) { $0 * 10 + $1 }
        return true
    }

    private mutating func readField(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.first == 32 || bytes.first == 9 { return readContinuation(bytes) }
        guard let colon = bytes.firstIndex(of: 58) else { return false }
        let name = text(trimmed(bytes[..<colon]))
        guard !name.isEmpty else { return false }
        let value = text(trimmed(bytes[(colon + 1)...]))
        let small = name.lowercased()
        // Dates in cookies contain commas, so joined values couldn't be separated again.
        if small == "set-cookie" { fields.cookies.append(value) }
        // A length that isn't a number can't be compared with the received bytes.
        if small == "content-length" { guard let length = Int64(value), length >= 0 else { return false } }
        // Names are compared without case, but reported as the server first spelled them.
        let spelling = spellings[small] ?? name
        spellings[small] = spelling
        lastName = spelling
        guard let old = fields.values[spelling] else {
            fields.values[spelling] = value
            return true
        }
        // Two different lengths are a smuggling attack: another parser may trust the other one.
        guard small != "content-length" || old == value else { return false }
        if small != "content-length" { fields.values[spelling] = old + ", " + value }
        return true
    }

    /// Appends a folded line to the previous header's value; old servers send such lines.
    private mutating func readContinuation(_ bytes: ArraySlice<UInt8>) -> Bool {
        // A fold after the status line has no header to continue.
        guard let lastName else { return false }
        fields.values[lastName, default: ""] += " " + text(trimmed(bytes))
        return true
    }

    private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, first == 32 || first == 9 { bytes.removeFirst() }
        while let last = bytes.last, last == 32 || last == 9 { bytes.removeLast() }
        return bytes
    }

    /// Decodes bytes as UTF-8, otherwise as ISO 8859-1, which accepts all bytes.
    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
