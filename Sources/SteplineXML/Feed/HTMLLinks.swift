import Foundation

/// Finds the links in an HTML tag.
enum HTMLLinks {
    private static let attributes: Set<String> = [
        "href", "src", "poster", "cite", "action", "data", "longdesc", "background",
    ]

    /// Returns the ranges of attribute values with links, from left to right.
    static func values(in bytes: [UInt8], _ tag: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = tag.lowerBound + 1
        while index < tag.upperBound {
            let start = index
            while index < tag.upperBound, isName(bytes[index]) { index += 1 }
            let name = start..<index
            guard index < tag.upperBound else { break }
            guard !name.isEmpty, let value = value(bytes, index, tag.upperBound) else {
                index = max(index, start + 1)
                continue
            }
            if attributes.contains(String(decoding: bytes[name], as: UTF8.self).lowercased()) {
                found.append(value)
            }
            index = value.upperBound
            if index < tag.upperBound, "\"'".utf8.contains(bytes[index]) { index += 1 }
        }
        return found
    }

    private static func isName(_ byte: UInt8) -> Bool {
        byte > 32 && !"=\"'<>/".utf8.contains(byte)
    }

    /// Returns the range of the value after an equals sign, without quotes.
    private static func value(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Range<Int>? {
        var index = start
        while index < end, ScalarText.isBlank(bytes[index]) { index += 1 }
        guard index < end, bytes[index] == UInt8(ascii: "=") else { return nil }
        index += 1
        while index < end, ScalarText.isBlank(bytes[index]) { index += 1 }
        guard index < end else { return nil }
        let quote = bytes[index]
        if "\"'".utf8.contains(quote) {
            let close = bytes[(index + 1)..<end].firstIndex(of: quote) ?? end
            return index + 1..<close
        }
        let close = bytes[index..<end].firstIndex { $0 <= 32 || $0 == UInt8(ascii: ">") } ?? end
        return index..<close
    }

    /// Returns a link in absolute form for an attribute; nil if it is absolute or within the page.
    static func absolute(_ value: ArraySlice<UInt8>, _ base: URL) -> String? {
        let link = ScalarText.trimmed(HTMLCharacter.decoded(value))
        guard !link.isEmpty, link.utf8.first != UInt8(ascii: "#"), !hasScheme(link),
            let url = AddressText.url(link, relativeTo: base)
        else { return nil }
        return HTMLText.escaped(url.absoluteURL.absoluteString, quoted: true)
    }

    static func hasScheme(_ link: String) -> Bool {
        guard let colon = link.utf8.firstIndex(of: UInt8(ascii: ":")), let first = link.utf8.first,
            first | 32 >= 97, first | 32 <= 122
        else { return false }
        return link.utf8[..<colon].allSatisfy {
            $0 | 32 >= 97 && $0 | 32 <= 122 || $0 >= 48 && $0 <= 57 || "+-.".utf8.contains($0)
        }
    }
}
