import Foundation

/// Why output can't be written.
struct OutputError: LocalizedError, CustomStringConvertible {
    /// `stdout` or `stderr`.
    let name: String
    /// The system's error.
    let code: POSIXErrorCode

    /// Whether whoever has read the output has gone.
    var isReaderGone: Bool { code == .EPIPE }

    var description: String { "\(name) can't be written: " + String(cString: strerror(code.rawValue)) }

    var errorDescription: String? { description }
}
