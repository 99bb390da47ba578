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
        let url = absoluteURL
        var text = url.absoluteString
        if text.withUTF8(Self.isNormal) { return url }
        guard var parts = URLParts(url) else { return self }
        parts.scheme = parts.scheme.map(URLByte.lowercased)[...]
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

    /// Recognizes most URLs that are in normal form already: those with a plain host and nothing percent-encoded.
    private static func isNormal(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = bytes[...]
        let isSecure = rest.starts(with: "https://".utf8)
        guard isSecure || rest.starts(with: "http://".utf8) else { return false }
        rest = rest.dropFirst(isSecure ? 8 : 7)
        let host = rest.prefix { byte in
            byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
                || byte >= UInt8(ascii: "-") && byte <= UInt8(ascii: "9") && byte != UInt8(ascii: "/")
        }
        guard !host.isEmpty else { return false }
        rest = rest[host.endIndex...]
        if rest.first == UInt8(ascii: ":") {
            let digits = rest.dropFirst().prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            // The scheme's own port is removed, as is an empty one.
            guard !digits.isEmpty, !digits.elementsEqual((isSecure ? "443" : "80").utf8) else { return false }
            rest = rest[digits.endIndex...]
        }
        guard rest.first == UInt8(ascii: "/") else { return false }
        var last: UInt8 = 0
        for byte in rest {
            // A segment that begins with a dot may be a dot segment.
            if byte == UInt8(ascii: "."), last == UInt8(ascii: "/") { return false }
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "#") || byte > 126 { return false }
            last = byte
        }
        return true
    }

    /// Decodes encodings that aren't needed, and writes the digits of all others in upper case.
    private static func decodingUnreserved(
        _ bytes: ArraySlice<UInt8>, isHost: Bool = false
    ) -> ArraySlice<UInt8> {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
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
        return result[...]
    }

    private static func removingDotSegments(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
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
