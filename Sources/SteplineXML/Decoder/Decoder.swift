public import Foundation

extension XML {
    /// Decodes `Decodable` types from elements and attributes.
    ///
    /// A property takes the child elements of its key's name, or else the attribute. A list takes all elements of the
    /// name, and is empty without one. A key may be a path: `"@id"` an attribute only, `"items/item"` elements within
    /// an element, `"price/@currency"` both; ``textKey`` is the element's own text. An absent value is nil for an
    /// optional, an empty one too if it can't be read as the type.
    ///
    /// What doesn't fit is a `DecodingError` with the coding path; beneath it is an ``XMLError`` with the line.
    public struct Decoder: Sendable {
        /// How a coding key becomes a name in the document.
        public enum KeyStrategy: Sendable {
            /// As it is.
            case asWritten
            /// `someKey` is `some_key`.
            case snakeCase
            /// `someKey` is `some-key`.
            case kebabCase
            /// `someKey` is `SomeKey`.
            case capitalized
            /// As the closure says.
            case custom(@Sendable (String) -> String)
        }

        /// How dates are written.
        public enum DateStrategy: Sendable {
            /// ISO 8601 or RFC 822, whichever fits.
            case automatic
            /// ISO 8601, also only the day.
            case iso8601
            /// RFC 822, as feeds have it.
            case rfc822
            /// A number of seconds.
            case secondsSince1970
            /// As the closure says; nil doesn't fit.
            case custom(@Sendable (String) -> Date?)
        }

        /// How a coding key becomes a name in the document.
        public var keyStrategy = KeyStrategy.asWritten
        /// How dates are written.
        public var dateStrategy = DateStrategy.automatic
        /// Whether white space around texts is left out, also for enums; parts of mixed content keep theirs.
        public var trimsTexts = true
        /// Whether a property that isn't a list fails for several elements; else it takes the first.
        public var refusesRepetition = false
        /// The key that stands for an element's own text, all below included.
        public var textKey = "#text"
        /// The key that stands for all nodes of mixed content in order; each is a choice by its name or ``textKey``.
        public var contentKey = "#content"
        /// Lists within an element of their own: for the key `items`, `["items": "item"]`.
        public var wrappedLists: [String: String] = [:]

        /// What the types that are decoded can ask for.
        public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

        /// Makes a decoder.
        public init() {}

        /// Decodes from an element.
        public func decode<T: Decodable>(_ type: T.Type, from element: Element) throws -> T {
            let state = DecodingState(self, element)
            do {
                return try ValueDecoder(.element(element), CodingTrail(), state).unbox(type)
            } catch let error as DecodingError {
                throw error.placed(at: state.line)
            }
        }

        /// Decodes from a document's root, or from the first element that `path` finds, an XPath expression.
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

        /// Parses and decodes.
        public func decode<T: Decodable>(
            _ type: T.Type, from data: Data, at path: String? = nil, namespaces: [String: String] = [:],
            options: Options = Options()
        ) throws -> T {
            try decode(
                type, from: try Document(data: data, options: options), at: path, namespaces: namespaces)
        }
    }
}
