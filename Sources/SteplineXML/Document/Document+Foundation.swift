public import Foundation

extension XML.Document {
    /// Parses data.
    ///
    /// - Throws: An ``XMLError`` for anything malformed, cut off or beyond a limit, unless the options are lenient.
    public init(data: Data, options: XML.Options = .init()) throws(XMLError) {
        self.init(
            try data.withBytes { (bytes) throws(XMLError) in try DocumentParser.parse(bytes, options: options)
            })
    }

    /// Reads and parses a file.
    ///
    /// - Throws: An ``XMLError``, with the code ``XMLError/Code/unreadable`` for an unreadable file.
    public init(contentsOf file: URL, options: XML.Options = .init()) throws(XMLError) {
        try self.init(data: try FileSource.read(file, limit: options.maximumSize), options: options)
    }
}

extension Data {
    /// Calls `body` with the bytes, keeping the type of its error.
    func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws(XMLError) -> R) throws(XMLError) -> R {
        let result: Result<R, XMLError> = withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                do throws(XMLError) { return .success(try body(bytes)) } catch { return .failure(error) }
            }
        }
        return try result.get()
    }
}
