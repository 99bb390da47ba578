import Foundation

/// The error for output that can't be written.
struct OutputError: LocalizedError, CustomStringConvertible {
    /// The stream: `stdout` or `stderr`.
    let name: String
    /// The system's error.
    let code: POSIXErrorCode

    /// Whether the reader of the output is gone.
    var isReaderGone: Bool { code == .EPIPE }

    var description: String { "\(name) can't be written: " + String(cString: strerror(code.rawValue)) }

    var errorDescription: String? { description }
}
