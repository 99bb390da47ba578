import SteplineSupport

/// A pattern of paths as in robots.txt: `*` stands for any characters, and a final `$` for the end of the path.
///
/// Paths and patterns are compared in one form (RFC 9309, section 2.2.2): unreserved characters, `/` and `=` as they
/// are, all other characters percent-encoded. `%2A` and `%24` in a pattern stand for the characters `*` and `$`.
struct PathPattern: Sendable {
    /// The part before the first `*`, or all of it.
    private let beginning: [UInt8]
    /// The parts behind a `*` that may be anywhere behind their predecessor.
    private let parts: [ByteSearch]
    /// The part behind the last `*` that the path must end with; nil if the path may go on.
    private let end: [UInt8]?
    /// Whether the path must end with `beginning`.
    private let isExact: Bool
    /// The number of octets, by which the most specific rule is found.
    let length: Int

    /// Creates a pattern from the value of a rule.
    init(_ text: some Collection<UInt8>) {
        var text = Array(text)
        let isAnchored = text.last == UInt8(ascii: "$")
        if isAnchored { text.removeLast() }
        let form = Self.form(of: text, keeping: UInt8(ascii: "*"))
        length = form.count + (isAnchored ? 1 : 0)
        let split = form.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
        beginning = split[0]
        isExact = isAnchored && split.count == 1
        let hasEnd = isAnchored && split.count > 1
        end = hasEnd ? split[split.count - 1] : nil
        // An empty part stems from two adjacent stars, which mean the same as one.
        let free = hasEnd ? split.dropFirst().dropLast() : split.dropFirst()
        parts = free.filter { !$0.isEmpty }.map { ByteSearch($0) }
    }

    /// Returns whether a path in the compared form matches from its beginning.
    ///
    /// Linear in the path: the first occurrence of each part leaves the most room for later parts.
    func matches(_ path: [UInt8]) -> Bool {
        guard path.starts(with: beginning) else { return false }
        if isExact { return path.count == beginning.count }
        var place = beginning.count
        for part in parts {
            guard let found = path.withUnsafeBufferPointer({ part.place(in: $0, from: place) }) else {
                return false
            }
            place = found + part.pattern.count
        }
        guard let end else { return true }
        return path.count - end.count >= place && path.suffix(end.count).elementsEqual(end)
    }

    /// Returns a path with its query in the form that is compared; `kept` is a character with a meaning of its own.
    static func form(of bytes: [UInt8], keeping kept: UInt8? = nil) -> [UInt8] {
        var form: [UInt8] = []
        form.reserveCapacity(bytes.count)
        var isInQuery = false
        var index = 0
        while index < bytes.count {
            let encoded = URLByte.decoded(bytes, at: index)
            let byte = encoded ?? bytes[index]
            index += encoded == nil ? 1 : 3
            switch byte {
            case _ where URLByte.isUnreserved(byte), UInt8(ascii: "="): form.append(byte)
            // In a path an encoded slash doesn't separate segments. A query has no segments.
            case UInt8(ascii: "/") where encoded == nil || isInQuery: form.append(byte)
            case _ where encoded == nil && byte == kept: form.append(byte)
            default: URLByte.encode(byte, into: &form)
            }
            if byte == UInt8(ascii: "?"), encoded == nil { isInQuery = true }
        }
        return form
    }
}
