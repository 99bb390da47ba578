import Foundation

/// A call of the system's that has failed.
struct SystemFailure: LocalizedError, CustomStringConvertible {
    /// The call, such as `open`.
    let call: String
    /// What `errno` said.
    let number: Int32

    init(_ call: String, _ number: Int32 = errno) {
        self.call = call
        self.number = number
    }

    var description: String { "\(call) failed: \(String(cString: strerror(number)))" }

    var errorDescription: String? { description }

    /// What that means for a store.
    var code: RunStoreError.Code {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .full
        case EACCES, EPERM, EROFS: .readOnly
        default: .unavailable
        }
    }
}
