package import Foundation

/// Resolves the addresses of one page's links against the page's URL or its `base`.
package struct LinkBase {
    /// The largest size of an address in bytes; browsers and servers refuse longer ones.
    static let longestAddress = 8_192

    private let url: URL
    /// Scheme, host and port, such as `http://example.com:8080`; nil unless the base is a usual address.
    private let origin: String?

    package init(_ url: URL) {
        self.url = url
        origin = Self.origin(of: url.absoluteURL.absoluteString)
    }

    /// Returns the address of a link; nil if it isn't one of http or https.
    package func address(_ text: String) -> URL? {
        guard text.utf8.count <= Self.longestAddress else { return nil }
        // Most links are paths from the root or whole addresses: Foundation takes three times as long to resolve them.
        if let origin, text.utf8.first == UInt8(ascii: "/"), !text.utf8.dropFirst().starts(with: "/".utf8),
            Self.isPlain(text)
        {
            return URL(string: origin + text)
        }
        if Self.origin(of: text) != nil, Self.isPlain(text) { return URL(string: text) }
        let text = ScalarText.trimmed(text)
        guard !text.isEmpty, let url = AddressText.url(text, relativeTo: url)?.absoluteURL,
            ["http", "https"].contains(url.scheme?.lowercased() ?? ""), url.host()?.isEmpty == false
        else { return nil }
        return url
    }

    /// Returns the beginning of an address up to its path; nil without http, https or a host.
    private static func origin(of text: String) -> String? {
        let bytes = text.utf8
        let isSecure = bytes.starts(with: "https://".utf8)
        guard isSecure || bytes.starts(with: "http://".utf8) else { return nil }
        let start = bytes.index(bytes.startIndex, offsetBy: isSecure ? 8 : 7)
        let end = bytes[start...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        // A colon at the beginning is that of a port: there is no host.
        return end > start && bytes[start] != UInt8(ascii: ":") ? String(text[..<end]) : nil
    }

    /// Whether a text contains only bytes that stay as they are, and has no segments that begin with a dot.
    private static func isPlain(_ text: String) -> Bool {
        var last: UInt8 = 0
        return text.utf8.allSatisfy { byte in
            defer { last = byte }
            switch byte {
            case UInt8(ascii: "."): return last != UInt8(ascii: "/")
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "/")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"):
                return true
            default: return false
            }
        }
    }
}
