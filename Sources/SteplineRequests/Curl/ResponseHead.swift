/// The head of a response, read line by line as a server that may be hostile sends it.
///
/// Interim answers (1xx) are passed over, and trailers behind the body too; all of them count for the limit.
struct ResponseHead {
    /// A line that is longer, or lines that are more in all, are refused.
    static let lineLimit = 32 << 10
    static let limit = 256 << 10
    static let mostLines = 2000

    /// What a complete head says.
    struct Fields: Sendable, Equatable {
        var status = 0
        var version = ""
        /// The values by their names; those of one name are joined by commas.
        var values: [String: String] = [:]
        /// The values of `Set-Cookie`, which can't be joined.
        var cookies: [String] = []
    }

    enum Reading: Equatable {
        case more
        case complete(Fields)
        /// What came isn't HTTP, for this reason.
        case malformed(String)
    }

    private enum Place { case before, inside, behind }

    private var place = Place.before
    private var fields = Fields()
    /// The names as they were first spelled, by their small letters.
    private var spellings: [String: String] = [:]
    private var lastName: String?
    private var size = 0
    private var lines = 0

    /// Whether a head that isn't interim has been read to its end.
    var isComplete: Bool { place == .behind }

    /// Whether nothing has been read but interim answers.
    var isEmpty: Bool { place == .before }

    /// Reads one line, with its line end or without.
    mutating func read(_ line: some Collection<UInt8>) -> Reading {
        size += line.count
        lines += 1
        guard lines <= Self.mostLines else {
            return .malformed("the response's head has more than \(Self.mostLines) lines")
        }
        guard line.count <= Self.lineLimit, size <= Self.limit else {
            return .malformed("the response's head is too long")
        }
        let bytes = withoutLineEnd(Array(line))
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
        case .behind:
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
            // An interim answer: the head proper is still to come.
            (place, fields, spellings, lastName) = (.before, Fields(), [:], nil)
            return .more
        }
        place = .behind
        return .complete(fields)
    }

    private mutating func readStatus(_ bytes: ArraySlice<UInt8>) -> Bool {
        let words = bytes.split(separator: 32, maxSplits: 2)
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
        if small == "set-cookie" { fields.cookies.append(value) }
        // What can't be counted can't be held against what comes.
        if small == "content-length" { guard let length = Int64(value), length >= 0 else { return false } }
        let spelling = spellings[small] ?? name
        spellings[small] = spelling
        lastName = spelling
        guard let old = fields.values[spelling] else {
            fields.values[spelling] = value
            return true
        }
        // Two lengths that differ are an attack on whoever believes the other one.
        guard small != "content-length" || old == value else { return false }
        if small != "content-length" { fields.values[spelling] = old + ", " + value }
        return true
    }

    /// A line that goes on with the value of the line before, as old servers send it.
    private mutating func readContinuation(_ bytes: ArraySlice<UInt8>) -> Bool {
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

    /// The bytes as UTF-8, or else as ISO 8859-1, which takes any.
    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
