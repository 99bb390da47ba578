/// How much is asked of one host (scheme, host and port) at once, and how often.
///
/// It holds for all loads of the process together that have limits: each waits in line until its own allow it to be
/// sent. Time-outs count from then on.
public struct HostLimits: Sendable, Hashable {
    /// How many exchanges are under way at once; nil for the transport's own limit, which is 6 over libcurl.
    ///
    /// With more than 256 the exchange doesn't count among the 256 that libcurl has under way with all hosts.
    public var connections: Int?

    /// How many requests are begun in a second; nil for any number.
    public var requestsPerSecond: Double?

    /// Makes limits.
    public init(connections: Int? = nil, requestsPerSecond: Double? = nil) {
        self.connections = connections
        self.requestsPerSecond = requestsPerSecond
    }

    /// The time between the beginnings of two requests; nil for none.
    var interval: Duration? {
        requestsPerSecond.flatMap { rate in
            rate > 0 && rate.isFinite ? .seconds(min(1 / rate, 1e9)) : nil
        }
    }
}
