import Foundation

/// A failed system call.
package struct SystemCallError: LocalizedError, CustomStringConvertible {
    /// The name of the call, such as `open`.
    package let call: String
    package let path: String
    /// The value of `errno`.
    package let number: Int32

    package init(_ call: String, _ path: String, _ number: Int32 = errno) {
        self.call = call
        self.path = path
        self.number = number
    }

    package var description: String { "\(path): \(call) failed: \(String(cString: strerror(number)))" }

    package var errorDescription: String? { description }
}
