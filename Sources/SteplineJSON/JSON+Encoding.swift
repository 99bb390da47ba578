public import Foundation

extension JSON {
    /// Makes a document from an `Encodable` value.
    ///
    /// Foundation's `JSONEncoder` encodes the value, with its strategies.
    ///
    /// - Throws: `EncodingError` if the value can't be encoded.
    public init(encoding value: some Encodable, with encoder: JSONEncoder = .init()) throws {
        self = try JSON(parsing: encoder.encode(value))
    }

    /// Reads and parses a file.
    ///
    /// - Throws: Foundation's error if the file can't be read, otherwise `JSONError`.
    public init(contentsOf url: URL, options: Options = .init()) throws {
        self = try JSON(parsing: Data(contentsOf: url), options: options)
    }
}
