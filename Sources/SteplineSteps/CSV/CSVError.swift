import SteplineSupport

/// What is wrong with comma-separated values, and where.
public struct CSVError: Error, Sendable, CustomStringConvertible {
    /// The kind of problem.
    public let code: Code
    /// What was found, in words.
    public let message: String
    /// The line of the problem, from 1.
    public let line: Int
    /// The column of the problem in characters (Unicode scalars), from 1; where a field is meant, its first.
    public let column: Int
    /// The name of the field, where one is meant.
    public let field: String?
    /// The cause, where another error led to this one.
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

    /// One line: what is wrong, its line and column, and the field.
    public var description: String {
        let cause = underlying.map { " (\(ErrorText.line($0)))" } ?? ""
        let name = field.map { ", field \"\($0)\"" } ?? ""
        return "\(message) at line \(line), column \(column)\(name) [\(code)]\(cause)"
    }
}

extension CSVError {
    /// The kind of a problem; more may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// A quote in a field that doesn't begin with one, or something behind a field's closing quote.
        public static let unexpectedQuote = Code(description: "unexpectedQuote")
        /// The text ends inside quotes.
        public static let unexpectedEnd = Code(description: "unexpectedEnd")
        /// A record has more or fewer fields than there are names, or than the first one.
        public static let wrongFieldCount = Code(description: "wrongFieldCount")
        /// Two fields have the same name.
        public static let duplicateName = Code(description: "duplicateName")
        /// Bytes that aren't UTF-8.
        public static let invalidUTF8 = Code(description: "invalidUTF8")
        /// A record is longer than the format allows.
        public static let tooLarge = Code(description: "tooLarge")
        /// A format that can't be used.
        public static let invalidFormat = Code(description: "invalidFormat")
        /// A field can't be decoded as what it is to be.
        public static let wrongValue = Code(description: "wrongValue")
        /// A value that isn't flat can't be a record.
        public static let notFlat = Code(description: "notFlat")
        /// What makes something of a record threw; see ``CSVError/underlying``.
        public static let record = Code(description: "record")
    }
}
