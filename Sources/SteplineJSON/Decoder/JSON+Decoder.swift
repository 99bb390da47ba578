public import Foundation

extension JSON {
    /// Decodes `Decodable` types straight from the tape, with the results of Foundation's `JSONDecoder` for
    /// the same strategies.
    ///
    /// Of duplicate keys the last one counts (with Foundation's, the first). A wrong shape is a
    /// `DecodingError` with its coding path, malformed text a `JSONError`. A decoder is a value; one may be
    /// used on many threads.
    public struct Decoder: Sendable {
        /// How the text is parsed.
        ///
        /// `maximumDepth` also bounds how deeply types are decoded; what is nested deeper than the thread's
        /// stack holds is a `DecodingError` all the same.
        public var options: Options
        /// How dates are written.
        ///
        /// Default: as `Date` decodes itself.
        public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy = .deferredToDate
        /// How data are written.
        ///
        /// Default: Base64.
        public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy = .base64
        /// How keys are made of the document's keys.
        ///
        /// Default: they are the same.
        public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
        /// What stands for infinities and NaN.
        ///
        /// Default: nothing.
        public var nonConformingFloatDecodingStrategy: JSONDecoder.NonConformingFloatDecodingStrategy = .throw
        /// Handed to the types that are decoded.
        public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

        /// Makes a decoder with Foundation's default strategies.
        public init(options: Options = .init()) { self.options = options }

        /// Decodes a value from JSON text, or from the part of it at `path`.
        ///
        /// The path is a JSON Pointer (`/items/0`) or a JSONPath (`$.items[0]`), of which the first match
        /// counts; nothing there is a `JSONError`, `.notFound`.
        public func decode<T: Decodable>(_ type: T.Type = T.self, from data: Data, at path: String? = nil)
            throws -> T
        {
            try decode(type, from: JSON(parsing: data, options: options), at: path)
        }

        /// Decodes a value from a document, or from the part of it at `path`.
        public func decode<T: Decodable>(_ type: T.Type = T.self, from json: JSON, at path: String? = nil)
            throws -> T
        {
            let place = try path.map { try json.value(at: $0) } ?? json
            let state = DecodingState(place, self)
            return try state.decode(type, place.index, depth: 0)
        }
    }

    /// Decodes this value, or the part of it at `path`, with Foundation's default strategies or those of
    /// `decoder`.
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, at path: String? = nil, with decoder: Decoder = .init()
    ) throws -> T {
        try decoder.decode(type, from: self, at: path)
    }
}
