import Foundation

/// A call of the system's that has failed.
package struct SystemCallError: LocalizedError, CustomStringConvertible {
    /// The call, such as `open`.
    package let call: String
    package let path: String
    /// What `errno` said.
    package let number: Int32

    package init(_ call: String, _ path: String, _ number: Int32 = errno) {
        self.call = call
        self.path = path
        self.number = number
    }

    package var description: String { "\(path): \(call) failed: \(String(cString: strerror(number)))" }

    package var errorDescription: String? { description }
}
