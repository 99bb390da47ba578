import Foundation

/// The components of an absolute URL as bytes (RFC 3986, section 3), without decoding.
///
/// Foundation's components decode and encode again, which changes what is compared. The parts share one array.
struct URLParts {
    var scheme: ArraySlice<UInt8>
    /// The user and password with the `@`; empty without one.
    var user: ArraySlice<UInt8>
    var host: ArraySlice<UInt8>
    /// The digits of the port; empty without one.
    var port: ArraySlice<UInt8>
    var path: ArraySlice<UInt8>
    /// The part after the first `?`; nil without one.
    var query: ArraySlice<UInt8>?

    /// Splits a URL; nil if it has no scheme or no host.
    init?(_ url: URL) {
        var rest = Array(url.absoluteString.utf8)[...]
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        scheme = rest[..<colon]
        rest = rest[(colon + 1)...]
        guard !scheme.isEmpty, rest.starts(with: "//".utf8) else { return nil }
        rest = rest.dropFirst(2)
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<hash] }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(mark + 1)...]
            rest = rest[..<mark]
        }
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        path = rest[slash...]
        var authority = rest[..<slash]
        let sign = authority.lastIndex(of: UInt8(ascii: "@"))
        user = sign.map { authority[...$0] } ?? []
        if let sign { authority = authority[(sign + 1)...] }
        // A colon inside brackets is part of an IPv6 address.
        let bracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        if let colon = authority[bracket...].lastIndex(of: UInt8(ascii: ":")) {
            port = authority[(colon + 1)...]
            authority = authority[..<colon]
        } else {
            port = []
        }
        host = authority
        if host.isEmpty { return nil }
    }

    /// Whether the scheme is http or https, in lower case.
    var isWeb: Bool { scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8) }

    /// The length of the whole URL in bytes.
    var count: Int {
        let authority = user.count + host.count + (port.isEmpty ? 0 : port.count + 1)
        return scheme.count + 3 + authority + path.count + (query.map { $0.count + 1 } ?? 0)
    }

    /// The path, which is `/` if it is empty, and the query with its `?`.
    var target: [UInt8] {
        let path = path.isEmpty ? [UInt8(ascii: "/")] : Array(path)
        return query.map { path + [UInt8(ascii: "?")] + $0 } ?? path
    }

    /// The host as text, an IPv6 address without its brackets.
    var hostName: String {
        let isBracketed = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]")
        return String(decoding: isBracketed ? host.dropFirst().dropLast() : host, as: UTF8.self)
    }

    /// The whole URL.
    var text: String {
        var bytes = Array(scheme) + Array("://".utf8) + user + host
        if !port.isEmpty { bytes += [UInt8(ascii: ":")] + port }
        bytes += path
        if let query { bytes += [UInt8(ascii: "?")] + query }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Bytes of URLs and their percent-encoding.
enum URLByte {
    /// Returns whether a byte never needs an encoding (RFC 3986, section 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Returns the byte that is encoded at an index, such as 32 for `%20`; nil if no encoding begins there.
    static func decoded(_ bytes: ArraySlice<UInt8>, at index: Int) -> UInt8? {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
            let high = value(bytes[index + 1]), let low = value(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Appends the encoding of a byte, with upper-case digits.
    static func encode(_ byte: UInt8, into bytes: inout [UInt8]) {
        bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
    }

    /// Returns an ASCII letter in lower case, and another byte as it is.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 32 : byte
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
