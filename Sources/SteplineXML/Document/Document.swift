extension XML {
    /// An XML or HTML document: an immutable tree, safe to read from many threads.
    ///
    /// Copies share the tree, and every node keeps it alive.
    public struct Document: Sendable {
        let tree: TreeStorage

        init(_ tree: TreeStorage) { self.tree = tree }

        /// Parses bytes.
        package init(bytes: UnsafeRawBufferPointer, options: Options = Options()) throws(XMLError) {
            tree = try DocumentParser.parse(bytes.assumingMemoryBound(to: UInt8.self), options: options)
        }

        /// Parses bytes.
        ///
        /// - Throws: An ``XMLError`` for anything malformed, cut off or beyond a limit, unless the options are lenient.
        public init(bytes: [UInt8], options: Options = Options()) throws(XMLError) {
            tree = try bytes.withUnsafeBufferPointer { (bytes) throws(XMLError) in
                try DocumentParser.parse(bytes, options: options)
            }
        }

        /// Parses text; ignores a declared encoding, since the text is already decoded.
        ///
        /// - Throws: An ``XMLError`` for anything malformed, cut off or beyond a limit, unless the options are lenient.
        public init(string: String, options: Options = Options()) throws(XMLError) {
            var options = options
            options.charset = "UTF-8"
            try self.init(bytes: Array(string.utf8), options: options)
        }
    }
}
