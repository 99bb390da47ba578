import Foundation
import SteplineSupport

/// Names the elements of a list without keys by their content, so that an edited list keeps the results of its
/// elements.
///
/// | element | key |
/// |---|---|
/// | `String`, `URL`, `UUID`, an integer | its text |
/// | `Data` | base64 |
/// | other `Codable` types | JSON with sorted keys |
/// | an equal element again | the key, then ` (2)` and so on |
/// | more than 128 bytes | the first 100 bytes, `…`, and 128 bits of SHA-256 |
///
/// Different elements of one type have different keys: a text that ends with a number in parentheses gets another one,
/// and a text with control characters, or that begins with a quotation mark, is written as JSON.
struct ElementKeys {
    private static let longest = 128
    private static let longestStart = 100

    private let type: any Sendable.Type
    private let codec: ResultCodec
    /// How often each text has occurred.
    private var counts: [String: Int] = [:]

    /// Creates the keys of a list; nil if the type's content isn't stable between processes.
    init?(of type: any Sendable.Type) {
        // `Void` has no content: its elements are counted by place.
        guard let codec = ResultCodec(of: type), !codec.isNothing else { return nil }
        self.type = type
        self.codec = codec
    }

    /// Returns the key of the next element of the list.
    ///
    /// - Throws: The error of an element that can't be encoded.
    mutating func key(of element: any Sendable) throws -> String {
        let text = Self.shortened(try text(of: element))
        let count = counts[text, default: 0] + 1
        counts[text] = count
        return count > 1 || Self.endsWithNumber(text) ? "\(text) (\(count))" : text
    }

    private func text(of element: any Sendable) throws -> String {
        let bytes = try codec.encodeInOrder(element)
        switch type {
        case is String.Type:
            let isPlain = bytes.first != UInt8(ascii: "\"") && bytes.allSatisfy { $0 >= 0x20 }
            let text = String(decoding: bytes, as: UTF8.self)
            return isPlain ? text : String(decoding: try ResultCodec.write(text), as: UTF8.self)
        case is Data.Type: return bytes.base64EncodedString()
        // These are always JSON strings: without quotation marks they stay different.
        case is URL.Type, is UUID.Type:
            return String(decoding: Self.withPlainSlashes(bytes).dropFirst().dropLast(), as: UTF8.self)
        default: return String(decoding: Self.withPlainSlashes(bytes), as: UTF8.self)
        }
    }

    /// Returns JSON without the backslashes that `JSONEncoder` writes before slashes.
    private static func withPlainSlashes(_ json: Data) -> [UInt8] {
        var bytes: [UInt8] = []
        var isEscaped = false
        for byte in json {
            if isEscaped, byte == UInt8(ascii: "/") { bytes.removeLast() }
            bytes.append(byte)
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return bytes
    }

    /// Returns a text that fits into a step's name.
    ///
    /// A shortened text is longer than each that isn't shortened.
    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > longest else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: longestStart)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        let hash = Data(text.utf8).withUnsafeBytes { SHA256.hash($0) }
        return "\(text[..<end])…\(SHA256.digits(hash).prefix(32))"
    }

    private static func endsWithNumber(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.last == UInt8(ascii: ")") else { return false }
        let digits = bytes.dropLast().reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
        return !digits.isEmpty && bytes.dropLast(1 + digits.count).suffix(2).elementsEqual(" (".utf8)
    }
}

extension ElementKeys {
    /// Returns the keys of a list; nil to name its elements by place.
    static func keys(of elements: [any Sendable], _ type: any Sendable.Type) -> [String]? {
        guard var keys = ElementKeys(of: type) else { return nil }
        return try? elements.map { try keys.key(of: $0) }
    }
}
