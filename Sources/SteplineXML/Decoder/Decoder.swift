public import Foundation

extension XML {
    /// A decoder of `Decodable` types from elements and attributes.
    ///
    /// A property takes the child elements with its key's name, otherwise the attribute. An array takes all elements
    /// with the name and may be empty. A key may be a path: `"@id"` is an attribute, `"items/item"` are nested
    /// elements, `"price/@currency"` is both. ``textKey`` is the element's own text. An optional is nil if its value is
    /// absent, or empty and not decodable.
    ///
    /// Mismatches throw a `DecodingError` with the coding path, whose underlying ``XMLError`` has the line.
    public struct Decoder: Sendable {
        /// The conversion of coding keys to names in the document.
        public enum KeyStrategy: Sendable {
            /// Unchanged.
            case asWritten
            /// `someKey` becomes `some_key`.
            case snakeCase
            /// `someKey` becomes `some-key`.
            case kebabCase
            /// `someKey` becomes `SomeKey`.
            case capitalized
            /// Converts by a closure.
            case custom(@Sendable (String) -> String)
        }

        /// The format of dates.
        public enum DateStrategy: Sendable {
            /// ISO 8601 or RFC 822, detected automatically.
            case automatic
            /// ISO 8601, with or without a time.
            case iso8601
            /// RFC 822, as in feeds.
            case rfc822
            /// A number of seconds.
            case secondsSince1970
            /// Parses by a closure; nil is a mismatch.
            case custom(@Sendable (String) -> Date?)
        }

        /// How a coding key becomes a name in the document.
        public var keyStrategy = KeyStrategy.asWritten
        /// The format of dates.
        public var dateStrategy = DateStrategy.automatic
        /// Whether white space around texts is left out, also for enums; parts of mixed content keep theirs.
        public var trimsTexts = true
        /// Whether a property that isn't a list fails for several elements; else it takes the first.
        public var refusesRepetition = false
        /// The key that stands for an element's own text, all below included.
        public var textKey = "#text"
        /// The key for all nodes of mixed content in order; each is identified by its name or ``textKey``.
        public var contentKey = "#content"
        /// Lists wrapped in an element: for the key `items`, `["items": "item"]`.
        public var wrappedLists: [String: String] = [:]

        /// Values for the decoded types.
        public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

        /// Creates a decoder.
        public init() {}

        /// Decodes a value from an element.
        ///
        /// - Throws: A `DecodingError` for a mismatch, whose underlying ``XMLError`` has the line.
        public func decode<T: Decodable>(_ type: T.Type, from element: Element) throws -> T {
            let state = DecodingState(self, element)
            do {
                return try ValueDecoder(.element(element), CodingTrail(), state).unbox(type)
            } catch let error as DecodingError {
                throw error.placed(at: state.line)
            }
        }

        /// Decodes a value from a document's root, or from the first element found by the XPath `path`.
        ///
        /// - Throws: A `DecodingError` for a mismatch, or if `path` finds nothing; an ``XMLError`` for a wrong `path`.
        public func decode<T: Decodable>(
            _ type: T.Type, from document: Document, at path: String? = nil,
            namespaces: [String: String] = [:]
        ) throws -> T {
            guard let path else { return try decode(type, from: document.root) }
            guard let element = try document.query(.first(path), namespaces: namespaces) else {
                throw DecodingError.valueNotFound(
                    type,
                    DecodingError.Context(
                        codingPath: [], debugDescription: "there is no element at '\(path)'",
                        underlyingError: XMLError(.decoding, "there is no element at '\(path)'")))
            }
            return try decode(type, from: element)
        }

        /// Parses data and decodes a value.
        ///
        /// - Throws: An ``XMLError`` for malformed data or a wrong `path`; a `DecodingError` for a mismatch, or if
        ///   `path` finds nothing.
        public func decode<T: Decodable>(
            _ type: T.Type, from data: Data, at path: String? = nil, namespaces: [String: String] = [:],
            options: Options = Options()
        ) throws -> T {
            try decode(
                type, from: try Document(data: data, options: options), at: path, namespaces: namespaces)
        }
    }
}
