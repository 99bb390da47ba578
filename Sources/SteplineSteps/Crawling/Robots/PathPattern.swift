import SteplineSupport

/// A pattern of paths as in robots.txt: `*` stands for any characters, and a final `$` for the end of the path.
///
/// Paths and patterns are compared in one form (RFC 9309, section 2.2.2): unreserved characters, `/` and `=` as they
/// are, all other characters percent-encoded. `%2A` and `%24` in a pattern stand for the characters `*` and `$`. In a
/// query an encoded slash equals a slash.
struct PathPattern: Sendable {
    /// A path with its query in the compared form.
    struct Form {
        fileprivate var bytes: [UInt8] = []
        /// The index of the first byte of the query; the number of bytes without a query.
        fileprivate var query = 0
    }

    /// A part of the pattern behind a `*`.
    private struct Part: Sendable {
        let search: ByteSearch
        /// The part as it is in a query; nil if it has no encoded slash.
        let inQuery: ByteSearch?

        init(_ part: [UInt8]) {
            search = ByteSearch(part)
            var (slashed, rest) = ([UInt8](), part[...])
            while let byte = rest.first {
                let isSlash = rest.starts(with: "%2F".utf8)
                slashed.append(isSlash ? UInt8(ascii: "/") : byte)
                rest = rest.dropFirst(isSlash ? 3 : 1)
            }
            inQuery = slashed.count < part.count ? ByteSearch(slashed) : nil
        }

        /// Returns the end of the first occurrence from a place on.
        func end(in path: Form, from place: Int) -> Int? {
            if let end = Self.end(of: search, in: path, from: place) { return end }
            return inQuery.flatMap { Self.end(of: $0, in: path, from: max(place, path.query)) }
        }

        /// Returns whether a path ends with the part, which begins at a place or behind it.
        func isEnd(of path: Form, from place: Int) -> Bool {
            if Self.isEnd(search.pattern, of: path, from: place) { return true }
            guard let inQuery else { return false }
            return Self.isEnd(inQuery.pattern, of: path, from: max(place, path.query))
        }

        private static func end(of search: ByteSearch, in path: Form, from place: Int) -> Int? {
            path.bytes.withUnsafeBufferPointer { search.place(in: $0, from: place) }
                .map { $0 + search.pattern.count }
        }

        private static func isEnd(_ part: [UInt8], of path: Form, from place: Int) -> Bool {
            path.bytes.count - part.count >= place && path.bytes.suffix(part.count).elementsEqual(part)
        }
    }

    /// The part before the first `*`, or all of it.
    private let beginning: [UInt8]
    /// The parts behind a `*` that may be anywhere behind their predecessor.
    private let parts: [Part]
    /// The part behind the last `*` that the path must end with; nil if the path may go on.
    private let end: Part?
    /// Whether the path must end with `beginning`.
    private let isExact: Bool
    /// The number of octets, by which the most specific rule is found.
    let length: Int

    /// Creates a pattern from the value of a rule.
    init(_ text: some Collection<UInt8>) {
        var text = Array(text)
        let isAnchored = text.last == UInt8(ascii: "$")
        if isAnchored { text.removeLast() }
        let form = Self.form(of: text, keeping: UInt8(ascii: "*")).bytes
        length = form.count + (isAnchored ? 1 : 0)
        let split = form.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
        beginning = split[0]
        isExact = isAnchored && split.count == 1
        let hasEnd = isAnchored && split.count > 1
        end = hasEnd ? Part(split[split.count - 1]) : nil
        // An empty part stems from two adjacent stars, which mean the same as one.
        let free = hasEnd ? split.dropFirst().dropLast() : split.dropFirst()
        parts = free.filter { !$0.isEmpty }.map { Part($0) }
    }

    /// The approximate number of bytes of memory that the pattern takes.
    var size: Int {
        // A search has a number of eight bytes for each byte.
        parts.reduce(200 + beginning.count) { $0 + 200 + 9 * $1.search.pattern.count }
    }

    /// Returns whether a path in the compared form matches from its beginning.
    ///
    /// Linear in the path: the first occurrence of each part leaves the most room for later parts.
    func matches(_ path: Form) -> Bool {
        guard path.bytes.starts(with: beginning) else { return false }
        if isExact { return path.bytes.count == beginning.count }
        var place = beginning.count
        for part in parts {
            guard let next = part.end(in: path, from: place) else { return false }
            place = next
        }
        guard let end else { return true }
        return end.isEnd(of: path, from: place)
    }

    /// Returns a path with its query in the form that is compared; `kept` is a character with a meaning of its own.
    static func form(of bytes: [UInt8], keeping kept: UInt8? = nil) -> Form {
        var form = Form()
        form.bytes.reserveCapacity(bytes.count)
        var isInQuery = false
        var index = 0
        while index < bytes.count {
            let encoded = URLByte.decoded(bytes[...], at: index)
            let byte = encoded ?? bytes[index]
            index += encoded == nil ? 1 : 3
            switch byte {
            case _ where URLByte.isUnreserved(byte), UInt8(ascii: "="): form.bytes.append(byte)
            // In a path an encoded slash doesn't separate segments. A query has no segments.
            case UInt8(ascii: "/") where encoded == nil || isInQuery: form.bytes.append(byte)
            case _ where encoded == nil && byte == kept: form.bytes.append(byte)
            default: URLByte.encode(byte, into: &form.bytes)
            }
            if byte == UInt8(ascii: "?"), encoded == nil, !isInQuery {
                isInQuery = true
                form.query = form.bytes.count
            }
        }
        if !isInQuery { form.query = form.bytes.count }
        return form
    }
}
