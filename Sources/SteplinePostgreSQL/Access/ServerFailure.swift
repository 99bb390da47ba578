import Foundation

/// What the server has refused, or what became of the connection to it.
struct ServerFailure: LocalizedError, CustomStringConvertible {
    /// The server's code of five letters; empty for what it didn't say itself.
    let code: String
    let message: String
    /// Whether the connection is of no use any more.
    let isLost: Bool

    init(code: String, message: String) {
        self.code = code
        self.message = message
        // Connections that fail, and a server that goes, has crashed, isn't ready yet, or has too many connections. One that
        // is read-only has become a standby, and another connection may reach the new primary.
        isLost =
            code.hasPrefix("08") || ["57P01", "57P02", "57P03", "53300", "25P03", "25006"].contains(code)
    }

    private init(lost message: String) {
        code = ""
        self.message = message
        isLost = true
    }

    /// The connection was lost in the middle of something.
    static func lost(_ message: String) -> ServerFailure {
        ServerFailure(lost: message.isEmpty ? "the connection was lost" : message)
    }

    /// Nothing has come in time.
    static let late = ServerFailure(lost: "the server didn't answer in time")

    /// A statement's values are larger than a server takes.
    static func tooLarge(_ size: Int) -> ServerFailure {
        ServerFailure(code: "54000", message: "\(size) bytes at once, and a server takes a gigabyte")
    }

    /// What was read is another by now.
    static let overtaken = ServerFailure(code: "40001", message: "somebody else has changed the same rows")

    /// Whether another transaction has held a lock for too long.
    var isBlocked: Bool { code == "55P03" }

    /// Whether two transactions were in each other's way, so that one of them is to be tried again.
    var isConflict: Bool { code == "40001" || code == "40P01" }

    var description: String { code.isEmpty ? message : "\(message) (PostgreSQL \(code))" }

    var errorDescription: String? { description }
}
