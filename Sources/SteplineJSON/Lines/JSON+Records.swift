package import Foundation

extension JSON {
    /// Which values of a large text are its records.
    public enum Records: Sendable, Hashable {
        /// Each line is a record: JSON Lines, or newline-delimited JSON.
        case lines
        /// Each element of the array at a JSON Pointer (`/data/items`, or empty for the whole) is a record.
        case elements(at: String)

        /// A reader of these records; throws `.invalidPath` for a malformed pointer.
        package func reader(_ options: Options) throws(JSONError) -> RecordReader {
            switch self {
            case .lines: LineReader(options: options)
            case .elements(let pointer): try ElementReader(at: pointer, options: options)
            }
        }
    }

    /// Takes a text in chunks, and hands over its records as they become complete.
    ///
    /// The synchronous core of ``Stream``. A reader is for one thread at a time. An error is the end: every later call
    /// throws it again.
    package class RecordReader {
        private var failure: JSONError?

        /// The line on which the last record begins, or that the last error is about, from 1.
        ///
        /// Valid until more bytes come.
        package var line: Int { 0 }

        /// The column in which the last record begins, from 1, in characters (Unicode scalars).
        package var column: Int { 1 }

        func append(_ chunk: Data) {}

        func end() {}

        /// Finds the next complete record; nil if more bytes are needed.
        ///
        /// Not called after an error.
        func find() throws(JSONError) -> JSON? { nil }

        final func next() throws(JSONError) -> JSON? {
            if let failure { throw failure }
            do {
                return try find()
            } catch {
                failure = error
                throw error
            }
        }

        /// Takes the next bytes, and hands over each record that is now complete.
        ///
        /// A malformed record is a `JSONError` with its place in the whole. What `body` throws ends the call; the
        /// records behind the current one are kept.
        package final func read(_ chunk: Data, _ body: (JSON) throws -> Void) throws {
            append(chunk)
            while let record = try next() { try body(record) }
        }

        /// Hands over the records that are left, at the end of the text.
        package final func finish(_ body: (JSON) throws -> Void) throws {
            end()
            while let record = try next() { try body(record) }
        }
    }
}
