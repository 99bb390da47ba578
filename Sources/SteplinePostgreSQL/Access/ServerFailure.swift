import Foundation

/// An error of the server or of the connection.
struct ServerFailure: LocalizedError, CustomStringConvertible {
    /// The SQLSTATE of five characters; empty for errors that the server didn't report.
    let code: String
    let message: String
    /// Whether the connection is unusable.
    let isLost: Bool

    init(code: String, message: String) {
        self.code = code
        self.message = message
        // Connection failures, and servers that shut down, have crashed, aren't ready, or have too many connections. A
        // read-only server (25006) has become a standby: another connection may reach the new primary.
        isLost =
            code.hasPrefix("08") || ["57P01", "57P02", "57P03", "53300", "25P03", "25006"].contains(code)
    }

    private init(lost message: String) {
        code = ""
        self.message = message
        isLost = true
    }

    /// Returns the error of a connection that was lost during a call.
    static func lost(_ message: String) -> ServerFailure {
        ServerFailure(lost: message.isEmpty ? "the connection was lost" : message)
    }

    /// Whether the server didn't respond in time.
    var isLate: Bool { code.isEmpty && message == Self.late.message }

    /// The error of a server that didn't respond in time.
    static let late = ServerFailure(lost: "the server didn't answer in time")

    /// Returns the error of values that exceed the server's limit.
    static func tooLarge(_ size: Int) -> ServerFailure {
        ServerFailure(code: "54000", message: "\(size) bytes at once, and a server takes a gigabyte")
    }

    /// The error of a row that another transaction has changed since it was read.
    static let overtaken = ServerFailure(
        code: "40001", message: "another transaction has changed the same rows")

    /// Whether the server gave up a wait for a lock, or cancelled a statement that took too long.
    ///
    /// The transaction is rolled back. A server whose disk stalls cancels statements.
    var isBlocked: Bool { code == "55P03" || code == "57014" }

    /// Whether two transactions conflicted, so that one must be repeated.
    var isConflict: Bool { code == "40001" || code == "40P01" }

    var description: String { code.isEmpty ? message : "\(message) (PostgreSQL \(code))" }

    var errorDescription: String? { description }
}
