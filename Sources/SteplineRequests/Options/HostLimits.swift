/// The limits for one host (scheme, host and port).
///
/// All loads of the process with limits share the host's queue. A load waits until its own limits allow its begin. Time
/// limits count from then on.
public struct HostLimits: Sendable, Hashable {
    /// The maximum number of concurrent exchanges; nil for the transport's limit, which is 6 over libcurl.
    ///
    /// A value above 256 also exempts the exchange from libcurl's limit of 256 exchanges with all hosts.
    public var connections: Int?

    /// The maximum number of requests that begin per second; nil for no limit.
    public var requestsPerSecond: Double?

    /// Whether all schemes and ports of the host share the limits.
    package var coversAllPorts = false

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - connections: The maximum number of concurrent exchanges; nil for the transport's limit.
    ///   - requestsPerSecond: The maximum number of requests that begin per second; nil for no limit.
    public init(connections: Int? = nil, requestsPerSecond: Double? = nil) {
        self.connections = connections
        self.requestsPerSecond = requestsPerSecond
    }

    /// The time between the begin of two requests; nil for no limit.
    var interval: Duration? {
        requestsPerSecond.flatMap { rate in
            rate > 0 && rate.isFinite ? .seconds(min(1 / rate, 1e9)) : nil
        }
    }
}
