public import Foundation

extension URL {
    /// The URL in the normal form of RFC 3986, section 6, without its fragment: the key of a page.
    ///
    ///     URL(string: "HTTP://Example.com:80/a/./b/../%7euser#top")!.normalized    // http://example.com/a/~user
    ///
    /// Scheme and host are in lower case, letters, digits and `-._~` aren't percent-encoded, and the digits of other
    /// encodings are in upper case. Dot segments, the scheme's own port and an empty port are removed, and an empty
    /// path is `/`. A query is kept, also an empty one. A URL without scheme or host is returned as it is.
    public var normalized: URL {
        guard var parts = URLParts(absoluteURL) else { return self }
        parts.scheme = parts.scheme.map(URLByte.lowercased)
        parts.user = Self.decodingUnreserved(parts.user)
        parts.host = Self.decodingUnreserved(parts.host, isHost: true)
        let ports = ["http": "80", "https": "443"]
        let known = ports[String(decoding: parts.scheme, as: UTF8.self)]
        if let known, parts.port.elementsEqual(known.utf8) { parts.port = [] }
        parts.path = Self.removingDotSegments(Self.decodingUnreserved(parts.path))
        if parts.path.isEmpty { parts.path = [UInt8(ascii: "/")] }
        parts.query = parts.query.map { Self.decodingUnreserved($0) }
        return URL(string: parts.text) ?? self
    }

    /// Decodes encodings that aren't needed, and writes the digits of all others in upper case.
    private static func decodingUnreserved(_ bytes: [UInt8], isHost: Bool = false) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let byte = URLByte.decoded(bytes, at: index) {
                if URLByte.isUnreserved(byte) {
                    result.append(isHost ? URLByte.lowercased(byte) : byte)
                } else {
                    URLByte.encode(byte, into: &result)
                }
                index += 3
            } else {
                result.append(isHost ? URLByte.lowercased(bytes[index]) : bytes[index])
                index += 1
            }
        }
        return result
    }

    private static func removingDotSegments(_ path: [UInt8]) -> [UInt8] {
        let dot = UInt8(ascii: ".")
        guard path.contains(dot), path.first == UInt8(ascii: "/") else { return path }
        let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var kept: [ArraySlice<UInt8>] = []
        for (place, segment) in segments.enumerated() {
            let isParent = segment.elementsEqual([dot, dot])
            guard isParent || segment.elementsEqual([dot]) else {
                kept.append(segment)
                continue
            }
            if isParent { _ = kept.popLast() }
            // The path ends with a slash if its last segment was a dot segment.
            if place == segments.count - 1 { kept.append([]) }
        }
        return kept.reduce(into: []) { $0 += [UInt8(ascii: "/")] + $1 }
    }
}
