import Foundation

/// A failed system call.
struct SystemFailure: LocalizedError, CustomStringConvertible {
    /// The name of the call, such as `open`.
    let call: String
    /// The value of `errno`.
    let number: Int32

    // The default argument reads `errno` in the caller, before another call can change it.
    init(_ call: String, _ number: Int32 = errno) {
        self.call = call
        self.number = number
    }

    var description: String { "\(call) failed: \(String(cString: strerror(number)))" }

    var errorDescription: String? { description }

    /// The kind of store failure.
    var code: RunStoreError.Code {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .full
        case EACCES, EPERM, EROFS: .readOnly
        default: .unavailable
        }
    }
}
