public import struct Foundation.Date

/// The durations and transferred bytes of a request's attempts.
public struct URLTaskMetrics: Sendable, Hashable {
    /// The number of attempts.
    public internal(set) var attempts = 0
    /// The time at which the last attempt began; nil before the first.
    public internal(set) var began: Date?
    /// The duration of the last attempt.
    public internal(set) var duration = Duration.zero
    /// The number of redirects in the last attempt.
    public internal(set) var redirects = 0
    /// The number of body bytes received in the last attempt.
    public internal(set) var bytesReceived: Int64 = 0
    /// The number of body bytes sent in the last attempt.
    public internal(set) var bytesSent: Int64 = 0
}

extension URLTaskMetrics: CustomStringConvertible {
    /// The counts of the last attempt: `attempt 2: 0.5 seconds, 1 redirect, 1024 bytes received, 0 sent`.
    public var description: String {
        let way = redirects == 0 ? "" : redirects == 1 ? ", 1 redirect" : ", \(redirects) redirects"
        return "attempt \(attempts): \(duration)\(way), \(bytesReceived) bytes received, \(bytesSent) sent"
    }
}
