public import Foundation

extension JSON {
    /// Parses JSON Lines (newline-delimited JSON) from chunks that the caller supplies.
    ///
    /// Lines are UTF-8 and end at a line feed. Only the first line may have a byte order mark. Lines of only spaces,
    /// tabs and carriage returns are skipped. Memory holds the chunk and the incomplete line. After an error, reading
    /// continues with the next line: call `read` with empty data, or `finish`, to get the remaining lines of a chunk.
    ///
    /// ```swift
    /// let reader = JSON.LineReader()
    /// for chunk in chunks { try reader.read(chunk) { record in print(reader.line, record) } }
    /// try reader.finish { record in print(reader.line, record) }
    /// ```
    public final class LineReader {
        private let options: Options
        private var splitter: LineSplitter
        /// The line number of the last record or the last error, from 1.
        public private(set) var line = 0

        /// Makes a reader; the options apply to each line.
        public init(options: Options = .init()) {
            self.options = options
            splitter = LineSplitter(maximumSize: options.maximumSize)
        }

        /// Appends bytes, and calls `body` with each record that is complete.
        ///
        /// - Throws: `JSONError` for a malformed line, with its line, column and offset in the stream, and with the
        ///   code
        ///   `.tooLarge` if it exceeds `maximumSize`. An error of `body` ends the call; later calls continue with the
        ///   next line.
        public func read(_ chunk: Data, _ body: (JSON) throws -> Void) throws {
            append(chunk)
            while let record = try next() { try body(record) }
        }

        /// Calls `body` with the remaining records; the last one needs no line feed.
        ///
        /// After an error, call it again to continue with the next line.
        public func finish(_ body: (JSON) throws -> Void) throws {
            end()
            while let record = try next() { try body(record) }
        }

        /// Appends bytes.
        func append(_ chunk: Data) { splitter.append(chunk) }

        /// Marks the end of the stream.
        func end() { splitter.end() }

        /// Returns the next complete record, or nil if more bytes are needed.
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

// A reader must not be shared between tasks.
@available(*, unavailable)
extension JSON.LineReader: Sendable {}
