/// What is wrong with a JSON text, a path or a pointer, and where.
///
/// Wrong shapes found while decoding are `DecodingError`s instead.
public struct JSONError: Error, Sendable {
    /// The kind of problem.
    public let code: Code
    /// What was found, in words.
    public let message: String
    /// The offset of the problem in the bytes handed in (in the UTF-8 of the expression for paths and
    /// pointers), from 0.
    public let byteOffset: Int
    /// The line of the problem, from 1.
    public let line: Int
    /// The column of the problem in characters (Unicode scalars), from 1.
    public let column: Int
    /// The cause, where another error led to this one.
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
    /// One line: what is wrong, and its line, column and offset.
    public var description: String {
        let cause = underlying.map { " (\($0))" } ?? ""
        return "\(message) at line \(line), column \(column) (byte \(byteOffset)) [\(code)]\(cause)"
    }
}
