public import protocol Foundation.LocalizedError

/// An error in XML or HTML, with its place.
public struct XMLError: LocalizedError, Sendable {
    /// The kind of error.
    public let code: Code

    /// The message as a sentence without a full stop.
    public let message: String

    /// The line in the input, from 1, if known.
    public internal(set) var line: Int?

    /// The column in the line, from 1, if known.
    ///
    /// For queries the column in the expression.
    public internal(set) var column: Int?

    /// The limit that was exceeded, if ``code`` is ``Code/limit``.
    package let limit: Limit?

    /// The number of records delivered before the stream failed.
    public internal(set) var recordsRead: Int?

    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Makes an error.
    package init(
        _ code: Code, _ message: String, line: Int? = nil, column: Int? = nil, limit: Limit? = nil,
        recordsRead: Int? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.limit = limit
        self.recordsRead = recordsRead
        self.underlying = underlying
    }
}

extension XMLError: CustomStringConvertible {
    /// The place, the message and the underlying error, for a log line.
    public var description: String {
        var text = "XML"
        if let line {
            text += column.map { " \(line):\($0)" } ?? " line \(line)"
        } else if let column {
            text += " column \(column)"
        }
        text += ": \(message) (\(code)"
        if let limit { text += ": \(limit)" }
        text += ")"
        if let recordsRead { text += ", after \(recordsRead) records" }
        if let underlying { text += "; \(underlying)" }
        return text
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
