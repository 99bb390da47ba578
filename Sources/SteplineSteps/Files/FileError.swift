public import Foundation
import SteplineRequests
public import SteplineSupport

/// What went wrong with a file, with its path and the system's own error.
public struct FileError: LocalizedError, ErrorWithCause, CustomStringConvertible, Sendable {
    /// What kind of failure it is.
    public let code: Code

    /// The path of the file or directory.
    public let path: String

    /// The system's error, if it was one.
    public let underlying: (any Error)?

    private let detail: String

    package init(_ code: Code, _ path: String, _ detail: String, underlying: (any Error)? = nil) {
        self.code = code
        self.path = path
        self.detail = detail
        self.underlying = underlying
    }

    /// The error of a system call that has just failed, by `errno`.
    package static func system(_ call: String, _ path: String, _ number: Int32 = errno) -> FileError {
        let cause = POSIXErrorCode(rawValue: number).map { POSIXError($0) }
        let text = String(cString: strerror(number))
        return FileError(.system, path, "\(call) failed: \(text)", underlying: cause)
    }

    /// The error of a failed call in a folder.
    init(_ error: SystemCallError) {
        self = .system(error.call, error.path, error.number)
    }

    /// The path and what happened: `/tmp/a.json: open failed: No such file or directory`.
    public var description: String { "\(path): \(detail)" }

    /// The same line.
    public var errorDescription: String? { description }
}

extension FileError {
    /// The kinds of failure; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The URL isn't that of a file.
        public static let notFileURL = Code(description: "notFileURL")
        /// It is a directory, a pipe, a device or a socket.
        public static let notRegular = Code(description: "notRegular")
        /// It has more bytes than the limit allows.
        public static let tooLarge = Code(description: "tooLarge")
        /// It exists, and was not to be replaced.
        public static let exists = Code(description: "exists")
        /// A system call failed: see ``FileError/underlying``.
        public static let system = Code(description: "system")
    }
}
