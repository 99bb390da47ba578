public import Foundation

extension JSON {
    /// Splits chunks of bytes into lines as they arrive and parses each: JSON Lines, or newline-delimited
    /// JSON, by hand.
    ///
    /// Lines are UTF-8 and end at a line feed; only the stream's first may have a byte order mark. Lines of
    /// spaces, tabs and carriage returns alone are passed over, and nothing else is. Memory holds the chunk
    /// and the line under way. After an error the reader goes on with the next line: that of a chunk that has
    /// been taken in comes by `read` with empty data, or by `finish`.
    ///
    /// ```swift
    /// let reader = JSON.LineReader()
    /// for chunk in chunks { try reader.read(chunk) { record in print(reader.line, record) } }
    /// try reader.finish { record in print(reader.line, record) }
    /// ```
    public final class LineReader {
        private let options: Options
        private var splitter: LineSplitter
        /// The number of the last record's line, or of the line that the last error is about, from 1.
        public private(set) var line = 0

        /// Makes a reader; the options hold for each line.
        public init(options: Options = .init()) {
            self.options = options
            splitter = LineSplitter(maximumSize: options.maximumSize)
        }

        /// Takes the next bytes in, and hands over each record that is now complete.
        ///
        /// A malformed line is a `JSONError` with its line in the stream, its column, and its offset from the
        /// stream's beginning; one longer than `maximumSize` is `.tooLarge`. What `body` throws ends the
        /// reading; the lines behind it are kept.
        public func read(_ chunk: Data, _ body: (JSON) throws -> Void) throws {
            append(chunk)
            while let record = try next() { try body(record) }
        }

        /// Hands over what is left, the last record of which may have no line end.
        ///
        /// After an error it may be called again, for the lines behind the bad one.
        public func finish(_ body: (JSON) throws -> Void) throws {
            end()
            while let record = try next() { try body(record) }
        }

        /// Takes the next bytes in.
        func append(_ chunk: Data) { splitter.append(chunk) }

        /// No more bytes come.
        func end() { splitter.end() }

        /// The next record that is complete.
        func next() throws(JSONError) -> JSON? {
            do {
                guard let found = try splitter.next() else {
                    line = splitter.line
                    return nil
                }
                line = splitter.line
                return try record(found)
            } catch {
                line = splitter.line
                throw error
            }
        }

        private func record(_ found: LineSplitter.Line) throws(JSONError) -> JSON {
            let result = splitter.withBytes(of: found) { bytes in
                Result { () throws(JSONError) in try Parsing.line(bytes, options: options) }
            }
            do {
                return try result.get()
            } catch {
                throw JSONError(
                    error.code, message: error.message, byteOffset: found.offset + error.byteOffset,
                    line: line, column: error.column, underlying: error.underlying)
            }
        }
    }
}

// A reader is for one task.
@available(*, unavailable)
extension JSON.LineReader: Sendable {}
