/// The status and the header fields of a response, as the bytes that the server sent.
///
/// `bytes` contains all lines of the head. Each field is a pair of ranges in these bytes; a folded line extends the
/// range of the last value.
struct HeadFields: Sendable {
    private struct Field {
        let name: Range<Int>
        var value: Range<Int>
    }

    private(set) var status = 0
    /// The values of `Set-Cookie`, which can't be joined: dates in cookies contain commas.
    private(set) var cookies: [String] = []
    private var bytes: [UInt8] = []
    private var fields: [Field] = []
    private var versionRange = 0..<0
    /// The index of the field that a folded line continues.
    private var lastField: Int?

    /// The version in the status line, such as `HTTP/1.1`.
    var version: String { text(versionRange) }

    /// The values by name; values of the same name are joined with commas.
    ///
    /// Names are compared without case, but reported as the server first spelled them.
    var values: [String: String] {
        var values: [String: String] = Dictionary(minimumCapacity: fields.count)
        var spellings: [String: String] = [:]
        for field in fields {
            let name = text(field.name)
            let spelling = spellings[name.lowercased(), default: name]
            spellings[name.lowercased()] = spelling
            let value = text(field.value)
            values[spelling] = values[spelling].map { $0 + ", " + value } ?? value
        }
        return values
    }

    /// Returns the value of a field; values of the same name are joined with commas.
    ///
    /// - Parameter name: The name in lowercase ASCII letters.
    /// - Returns: The value; nil without such a field.
    func value(of name: StaticString) -> String? {
        guard let first = fields.firstIndex(where: { isName(name, at: $0.name) }) else { return nil }
        var value = text(fields[first].value)
        for field in fields[(first + 1)...] where isName(name, at: field.name) {
            value += ", " + text(field.value)
        }
        return value
    }

    /// Returns the values of all fields with a name, which is given in lowercase ASCII letters.
    func allValues(of name: StaticString) -> [String] {
        fields.filter { isName(name, at: $0.name) }.map { text($0.value) }
    }

    // MARK: Reading lines

    /// Adds a line, and returns its range without the line break; nil if the line contains a control character.
    mutating func append(_ line: some Collection<UInt8>) -> Range<Int>? {
        let start = bytes.count
        // Most heads fit: one allocation each for the bytes and the ranges.
        if bytes.isEmpty { bytes.reserveCapacity(320) }
        bytes.append(contentsOf: line)
        var end = bytes.count
        if end > start, bytes[end - 1] == 10 { end -= 1 }
        if end > start, bytes[end - 1] == 13 { end -= 1 }
        let hasControl = bytes.withUnsafeBufferPointer { bytes in
            bytes[start..<end].contains { $0 == 0 || $0 == 10 || $0 == 13 }
        }
        return hasControl ? nil : start..<end
    }

    /// Reads a status line; returns false if the line isn't valid.
    mutating func readStatus(_ line: Range<Int>) -> Bool {
        // The reason phrase is optional and ignored.
        let words = bytes[line].split(separator: 32, maxSplits: 2)
        // Other protocols, such as ICY, are rejected.
        guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), words[1].count == 3 else { return false }
        let digits = words[1].map { Int($0) - 48 }
        guard digits.allSatisfy((0...9).contains), digits[0] > 0 else { return false }
        versionRange = words[0].indices
        status = digits.reduce(0) { $0 * 10 + $1 }
        return true
    }

    /// Reads a header line; returns false if the line isn't valid.
    mutating func readField(_ line: Range<Int>) -> Bool {
        let first = bytes[line.lowerBound]
        if first == 32 || first == 9 { return readContinuation(line) }
        guard let colon = bytes[line].firstIndex(of: 58) else { return false }
        let field = Field(
            name: trimmed(line.lowerBound..<colon), value: trimmed((colon + 1)..<line.upperBound))
        guard !field.name.isEmpty else { return false }
        if isName("set-cookie", at: field.name) { cookies.append(text(field.value)) }
        if isName("content-length", at: field.name) {
            // A length that isn't a number can't be compared with the received bytes.
            guard let length = Int64(text(field.value)), length >= 0 else { return false }
            if let old = fields.first(where: { isName("content-length", at: $0.name) }) {
                // Two different lengths are a smuggling attack: another parser may trust the other one.
                // A repeated length isn't stored, so no line can continue it.
                lastField = nil
                return text(old.value) == text(field.value)
            }
        }
        if fields.isEmpty { fields.reserveCapacity(8) }
        lastField = fields.count
        fields.append(field)
        return true
    }

    /// Appends a folded line to the previous field's value; old servers send such lines.
    private mutating func readContinuation(_ line: Range<Int>) -> Bool {
        // A fold after the status line has no field to continue.
        guard let last = lastField else { return false }
        let content = Array(bytes[trimmed(line)])
        // The last value is followed only by this line, which replaces the line break.
        bytes.removeSubrange(fields[last].value.upperBound...)
        bytes.append(32)
        bytes += content
        fields[last].value = fields[last].value.lowerBound..<bytes.count
        return true
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start] == 32 || bytes[start] == 9 { start += 1 }
        while end > start, bytes[end - 1] == 32 || bytes[end - 1] == 9 { end -= 1 }
        return start..<end
    }

    /// Returns whether a range contains a name, which is given in lowercase ASCII letters.
    private func isName(_ name: StaticString, at range: Range<Int>) -> Bool {
        guard name.utf8CodeUnitCount == range.count else { return false }
        return name.withUTF8Buffer { name in
            zip(name, bytes[range]).allSatisfy { letter, byte in
                letter == (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 32 : byte)
            }
        }
    }

    /// Decodes bytes as UTF-8, otherwise as ISO 8859-1, which accepts all bytes.
    private func text(_ range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer { bytes in
            let bytes = UnsafeBufferPointer(rebasing: bytes[range])
            return String(validating: bytes, as: UTF8.self)
                ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }
}
