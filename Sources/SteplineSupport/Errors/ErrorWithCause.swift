/// An error that was caused by another error, which may advise about retries.
public protocol ErrorWithCause: Error {
    /// The cause of this error.
    var underlying: (any Error)? { get }
}

/// An error that a server's status may have caused.
package protocol ErrorWithStatus: Error {
    /// The status of the HTTP response, if one arrived.
    var statusCode: Int? { get }
}

extension ErrorWithCause {
    /// Returns the first error of type `E` among the causes, at any depth.
    public func underlying<E: Error>(as type: E.Type) -> E? {
        var cause = underlying
        while let error = cause {
            if let found = error as? E { return found }
            cause = (error as? any ErrorWithCause)?.underlying
        }
        return nil
    }
}
