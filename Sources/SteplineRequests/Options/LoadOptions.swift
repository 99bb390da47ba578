package import Foundation

/// The options of a load: the request, the accepted responses, and the limits.
public struct LoadOptions: Sendable {
    /// The headers that replace the request's own headers with the same name.
    public var headers: [String: String] = [:]

    /// The names of headers that are restricted to the first origin, such as the header of an API key.
    ///
    /// `Authorization`, `Proxy-Authorization`, `Cookie` and `Host` are always restricted. A restricted header follows
    /// neither a redirect nor a page link to another origin.
    public var sensitiveHeaders: Set<String> = []

    /// The request's body, which replaces the request's own body.
    ///
    /// A request without an explicit method is then a `POST`.
    public var body = RequestBody.none

    /// The statuses that count as success.
    public var status = StatusPolicy.failing400AndUp

    /// The redirects that are followed.
    public var redirects = RedirectPolicy.follow()

    /// The allowed schemes; other schemes fail, in the pipeline's check if the URL is known then.
    public var schemes: Set<String> = ["http", "https", "data", "file"]

    /// The accepted media types, such as `"application/json"` or `"text/*"`; empty accepts all types.
    public var contentTypes: Set<String> = []

    /// The size limit of a body in bytes, after decompression.
    ///
    /// Nil stands for 256 MiB for a body in memory, and for 64 GiB otherwise.
    public var sizeLimit: Int?

    /// The cookie jar; by default in memory, for one run of a pipeline or one manager.
    public var cookies = CookieJar.ofRun

    /// The verification of the server's certificate, and the client's certificate.
    public var tls = TLSOptions()

    /// The limits for one host.
    public var perHost = HostLimits()

    /// The time limit of the peer's silence; nil for the request's `timeoutInterval`, which is 60 s by default.
    ///
    /// Waits in a host's queue don't count, nor does the time during which this side holds the peer back.
    public var idleTimeout: Duration?

    /// The time limit of the whole load, including redirects, from the moment at which the first request is sent.
    ///
    /// Waits in a host's queue don't count (``perHost``). The time during which a slow reader holds the peer back does.
    public var totalTimeout = Duration.seconds(3600)

    /// The store of responses that are validated with the server before each reuse.
    ///
    /// Load and download steps without a manager use the store; other loads fail with
    /// ``RequestError/Code/unsupported``.
    public var revalidation: ResponseStore?

    /// The cache of responses that are reused as long as their servers allow.
    ///
    /// Load steps without a manager and `URLPages` use the cache; other loads fail with
    /// ``RequestError/Code/unsupported``.
    public var cache: HTTPCache?

    /// Whether equal concurrent loads share one transfer.
    ///
    /// Load steps without a manager do so; other loads fail with ``RequestError/Code/unsupported``. Each load that is
    /// cancelled leaves the transfer; the last one cancels it.
    public var sharesEqualLoads = false

    /// The transport that replaces the network, such as a recording.
    package var transport: (any Transport)?

    /// Returns whether data contains a secret that is restricted to the first origin.
    ///
    /// A secret header is removed from requests to another origin, and a secret body isn't sent there.
    package var isSecret: (@Sendable (Data) -> Bool)?

    /// Called when the load begins to wait in its host's queue, and when the wait ends.
    package var lineWatch: (@Sendable (_ isWaiting: Bool) -> Void)?

    /// Creates options with the defaults.
    public init() {}
}
