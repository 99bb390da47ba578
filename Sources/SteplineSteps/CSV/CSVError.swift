import SteplineSupport

public import protocol Foundation.LocalizedError

/// An error in comma-separated values, with its place.
public struct CSVError: LocalizedError, Sendable, CustomStringConvertible {
    /// The kind of the error.
    public let code: Code
    /// A description of the error.
    public let message: String
    /// The line of the error, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1; for a field its first column.
    public let column: Int
    /// The name of the field, if the error concerns one.
    public let field: String?
    /// The underlying error, if any.
    public let underlying: (any Error)?

    init(
        _ code: Code, _ message: String, line: Int = 1, column: Int = 1, field: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.line = line
        self.column = column
        self.field = field
        self.underlying = underlying
    }

    /// The message, its place and the field in one line.
    public var description: String {
        let cause = underlying.map { " (\(ErrorText.line($0)))" } ?? ""
        let name = field.map { ", field \"\($0)\"" } ?? ""
        return "\(message) at line \(line), column \(column)\(name) [\(code)]\(cause)"
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension CSVError {
    /// The kinds of errors; later versions may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// A quote inside an unquoted field, or a character after a closing quote.
        public static let unexpectedQuote = Code(description: "unexpectedQuote")
        /// The text ends inside quotes.
        public static let unexpectedEnd = Code(description: "unexpectedEnd")
        /// The number of fields differs from the header's, or from the first record's.
        public static let wrongFieldCount = Code(description: "wrongFieldCount")
        /// Two fields have the same name.
        public static let duplicateName = Code(description: "duplicateName")
        /// The bytes aren't UTF-8.
        public static let invalidUTF8 = Code(description: "invalidUTF8")
        /// A record exceeds the size limit of the format.
        public static let tooLarge = Code(description: "tooLarge")
        /// The format is invalid.
        public static let invalidFormat = Code(description: "invalidFormat")
        /// A field can't be decoded as the requested type.
        public static let wrongValue = Code(description: "wrongValue")
        /// A nested value can't be a record.
        public static let notFlat = Code(description: "notFlat")
        /// The closure that processes records threw; see ``CSVError/underlying``.
        public static let record = Code(description: "record")
    }
}
