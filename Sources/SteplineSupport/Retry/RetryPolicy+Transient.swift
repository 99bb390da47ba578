import Foundation

extension RetryPolicy {
    /// Returns whether an error is transient: a time-out, a lost or refused connection, or an error with such advice.
    ///
    /// An error advises through ``RetryAdvising``. Cancellations, invalid input and unknown errors are permanent.
    ///
    /// - Parameter error: The error.
    /// - Returns: Whether another attempt may succeed.
    public static func isTransient(_ error: any Error) -> Bool {
        if error is CancellationError { return false }
        if let advice = retryAdvice(in: error) { return advice.isTransient }
        var cause: (any Error)? = error
        while let error = cause {
            if let error = error as? URLError { return transientURLCodes.contains(error.code) }
            if let error = error as? POSIXError { return transientSystemCodes.contains(error.code) }
            cause = (error as? any ErrorWithCause)?.underlying
        }
        return false
    }

    private static let transientURLCodes: Set<URLError.Code> = [
        .timedOut, .networkConnectionLost, .cannotConnectToHost, .notConnectedToInternet,
        .dnsLookupFailed, .cannotFindHost,
    ]

    private static let transientSystemCodes: Set<POSIXErrorCode> = [
        .ETIMEDOUT, .ECONNRESET, .ECONNREFUSED, .ECONNABORTED, .EPIPE, .ENETDOWN, .ENETUNREACH, .ENETRESET,
        .EHOSTDOWN, .EHOSTUNREACH,
    ]
}
