public import Foundation

extension JSON {
    /// Decodes `Decodable` types directly from the tape, with the results of Foundation's `JSONDecoder`.
    ///
    /// Of duplicate keys the last wins (Foundation keeps the first). A mismatch is a `DecodingError` with its coding
    /// path, and malformed text a `JSONError`. A decoder is a value and may be used on many threads.
    public struct Decoder: Sendable {
        /// The options of the parser.
        ///
        /// Types are decoded to twice `maximumDepth` levels, since a type may use two levels for one of the document.
        /// Nesting that exceeds the thread's stack is a `DecodingError` in any case.
        public var options: Options
        /// The strategy for dates.
        ///
        /// Default: `Date`'s own decoding.
        public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .deferredToDate
        /// The strategy for data.
        ///
        /// Default: Base64.
        public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy = .base64
        /// The strategy that converts the document's keys.
        ///
        /// Default: none.
        public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
        /// The strings that represent infinities and NaN.
        ///
        /// Default: none.
        public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy = .throw
        /// Values that the decoded types can read.
        public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

        /// Makes a decoder with Foundation's default strategies.
        public init(options: Options = .init()) { self.options = options }

        /// Decodes a value from JSON text, or from the part of it at `path`.
        ///
        /// - Parameters:
        ///   - type: The type to decode.
        ///   - data: The JSON text.
        ///   - path: A JSON Pointer (`/items/0`), or a JSONPath (`$.items[0]`) of which the first match counts.
        /// - Throws: `JSONError` for malformed text, or with the code `.notFound` if `path` matches nothing;
        ///   `DecodingError` for a mismatch.
        public func decode<T: Decodable>(_ type: T.Type = T.self, from data: Data, at path: String? = nil)
            throws -> T
        {
            try decode(type, from: JSON(parsing: data, options: options), at: path)
        }

        /// Decodes a value from a document, or from the part of it at `path`.
        ///
        /// - Throws: `JSONError` if `path` is malformed or matches nothing; `DecodingError` for a mismatch.
        public func decode<T: Decodable>(_ type: T.Type = T.self, from json: JSON, at path: String? = nil)
            throws -> T
        {
            let place = try path.map { try json.value(at: $0) } ?? json
            let state = DecodingState(place, self)
            return try state.decode(type, place.index, depth: 0)
        }
    }

    /// Decodes this value, or the part of it at `path`, with the strategies of `decoder`.
    ///
    /// - Throws: `JSONError` if `path` is malformed or matches nothing; `DecodingError` for a mismatch.
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, at path: String? = nil, with decoder: Decoder = .init()
    ) throws -> T {
        try decoder.decode(type, from: self, at: path)
    }
}
