public import Foundation

extension JSON {
    /// Makes a document of an `Encodable` value.
    ///
    /// It goes by way of Foundation's `JSONEncoder`, so that its strategies hold; a value that can't be
    /// encoded is an `EncodingError`.
    public init(encoding value: some Encodable, with encoder: JSONEncoder = .init()) throws {
        self = try JSON(parsing: encoder.encode(value))
    }

    /// Reads and parses a file.
    ///
    /// Errors of the file are Foundation's.
    public init(contentsOf url: URL, options: Options = .init()) throws {
        self = try JSON(parsing: Data(contentsOf: url), options: options)
    }
}
