public import Foundation

extension JSON {
    /// The output format of a value.
    public struct Format: Hashable, Sendable {
        /// Whether each element and member is written on its own line, indented by two spaces per level.
        public var isPretty: Bool
        /// Whether members are sorted by the UTF-8 bytes of their keys, instead of kept in order.
        public var sortsKeys: Bool

        /// Makes a format.
        public init(isPretty: Bool = false, sortsKeys: Bool = false) {
            self.isPretty = isPretty
            self.sortsKeys = sortsKeys
        }

        /// One line for each element and member.
        public static let pretty = Format(isPretty: true)
    }

    /// Returns the value as JSON in UTF-8.
    ///
    /// Numbers and strings are written as they stand in the document. Cost: one pass.
    public func data(_ format: Format = .init()) -> Data { Data(bytes(format)) }

    /// The value as JSON text with a line for each element and member.
    public var prettyPrinted: String { String(decoding: bytes(.pretty), as: UTF8.self) }

    private func bytes(_ format: Format) -> [UInt8] {
        var writer = JSONWriter(tape, format)
        writer.write(index)
        return writer.bytes
    }
}

extension JSON: CustomStringConvertible {
    /// The value as JSON text, on one line.
    public var description: String { String(decoding: bytes(Format()), as: UTF8.self) }
}
