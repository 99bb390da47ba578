public import struct Foundation.Date

/// How long the attempts at a request took, and what they moved.
public struct URLTaskMetrics: Sendable, Hashable {
    /// How many attempts were made.
    public internal(set) var attempts = 0
    /// When the last attempt began; nil if none did.
    public internal(set) var began: Date?
    /// How long the last attempt took.
    public internal(set) var duration = Duration.zero
    /// How many redirects it followed.
    public internal(set) var redirects = 0
    /// How many bytes of a body were received by the last attempt.
    public internal(set) var bytesReceived: Int64 = 0
    /// How many bytes of a body were sent by the last attempt.
    public internal(set) var bytesSent: Int64 = 0
}
