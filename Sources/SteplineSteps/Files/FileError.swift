public import Foundation
import SteplineRequests
public import SteplineSupport

/// A file error with the path and the system's error.
public struct FileError: LocalizedError, ErrorWithCause, CustomStringConvertible, Sendable {
    /// The kind of failure.
    public let code: Code

    /// The path of the file or directory.
    public let path: String

    /// The system's error, if any.
    public let underlying: (any Error)?

    private let detail: String

    package init(_ code: Code, _ path: String, _ detail: String, underlying: (any Error)? = nil) {
        self.code = code
        self.path = path
        self.detail = detail
        self.underlying = underlying
    }

    /// Returns the error of a system call that just failed, from `errno`.
    package static func system(_ call: String, _ path: String, _ number: Int32 = errno) -> FileError {
        let cause = POSIXErrorCode(rawValue: number).map { POSIXError($0) }
        let text = String(cString: strerror(number))
        return FileError(.system, path, "\(call) failed: \(text)", underlying: cause)
    }

    /// Creates the error of a failed call in a folder.
    init(_ error: SystemCallError) {
        self = .system(error.call, error.path, error.number)
    }

    /// The path and the failure: `/tmp/a.json: open failed: No such file or directory`.
    public var description: String { "\(path): \(detail)" }

    /// The description.
    public var errorDescription: String? { description }
}

extension FileError {
    /// The kinds of failure; later versions may add more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The URL isn't a file URL.
        public static let notFileURL = Code(description: "notFileURL")
        /// The path is a directory, a pipe, a device or a socket.
        public static let notRegular = Code(description: "notRegular")
        /// The file exceeds the size limit.
        public static let tooLarge = Code(description: "tooLarge")
        /// The file exists and must not be replaced.
        public static let exists = Code(description: "exists")
        /// A system call failed; see ``FileError/underlying``.
        public static let system = Code(description: "system")
    }
}
