import Foundation

extension JSON {
    /// Splits chunks of bytes into lines as they arrive, and parses each.
    ///
    /// Lines are UTF-8 and end at a line feed; only the stream's first may have a byte order mark. Lines of
    /// spaces, tabs and carriage returns alone are skipped, and nothing else is. Memory holds the chunk and the
    /// line under way. A line longer than `maximumSize` is `.tooLarge`.
    package final class LineReader: RecordReader {
        private let options: Options
        private var splitter: LineSplitter
        private var lastLine = 0

        /// Makes a reader; the options hold for each line.
        package init(options: Options = .init()) {
            self.options = options
            splitter = LineSplitter(maximumSize: options.maximumSize)
        }

        package override var line: Int { lastLine }

        override func append(_ chunk: Data) { splitter.append(chunk) }

        override func end() { splitter.end() }

        override func find() throws(JSONError) -> JSON? {
            defer { lastLine = splitter.line }
            guard let found = try splitter.next() else { return nil }
            let result = splitter.withBytes(of: found) { bytes in
                Result { () throws(JSONError) in try Parsing.line(bytes, options: options) }
            }
            do {
                return try result.get()
            } catch {
                throw JSONError(
                    error.code, message: error.message, byteOffset: found.offset + error.byteOffset,
                    line: splitter.line, column: error.column, underlying: error.underlying)
            }
        }
    }
}
