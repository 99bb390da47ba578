public import protocol Foundation.LocalizedError

/// An error in a JSON text, a path or a pointer, with its position.
///
/// Mismatches found while decoding are `DecodingError`s instead.
public struct JSONError: LocalizedError, Sendable {
    /// The kind of the error.
    public let code: Code
    /// A description of the error.
    public let message: String
    /// The byte offset of the problem in the input, from 0; for paths and pointers in the UTF-8 of the expression.
    public let byteOffset: Int
    /// The line of the problem, from 1.
    public let line: Int
    /// The column of the problem in characters (Unicode scalars), from 1.
    public let column: Int
    /// The underlying error, if any.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(
        _ code: Code, message: String, byteOffset: Int = 0, line: Int = 1, column: Int = 1,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
        self.underlying = underlying
    }
}

extension JSONError: CustomStringConvertible {
    /// The message with its line, column and offset, in one line.
    public var description: String {
        let cause = underlying.map { " (\($0))" } ?? ""
        return "\(message) at line \(line), column \(column) (byte \(byteOffset)) [\(code)]\(cause)"
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
