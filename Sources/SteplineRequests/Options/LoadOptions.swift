package import Foundation

/// How something is loaded from a URL: what is sent, what is accepted, and within which limits.
public struct LoadOptions: Sendable {
    /// Header lines that replace the request's own of the same name.
    public var headers: [String: String] = [:]

    /// The names of headers that are for the first origin alone, such as that of an API key.
    ///
    /// `Authorization`, `Proxy-Authorization`, `Cookie` and `Host` never follow a redirect to another origin,
    /// nor a page that leads to one.
    public var sensitiveHeaders: Set<String> = []

    /// What is sent as the request's body, in place of the request's own.
    ///
    /// A request without a method of its own is then sent as `POST`.
    public var body = RequestBody.none

    /// Which statuses are a success.
    public var status = StatusPolicy.failing400AndUp

    /// Whether redirects are followed.
    public var redirects = RedirectPolicy.follow()

    /// The schemes that may be loaded; any other fails, at the pipeline's check if it is known then.
    public var schemes: Set<String> = ["http", "https", "data", "file"]

    /// The media types that are accepted, such as `"application/json"` or `"text/*"`; all if empty.
    public var contentTypes: Set<String> = []

    /// The most bytes a body may have, after decompression.
    ///
    /// Nil stands for 256 MiB where the body is kept in memory, and for 64 GiB where it isn't.
    public var sizeLimit: Int?

    /// Where cookies are kept: by default in memory, for one run of a pipeline, or for one manager.
    public var cookies = CookieJar.ofRun

    /// How a server's certificate is checked, and what is shown to it.
    public var tls = TLSOptions()

    /// How much is asked of one host at once, and how often.
    public var perHost = HostLimits()

    /// How long the peer may be silent; nil for the request's `timeoutInterval`, which is a minute unless set.
    public var idleTimeout: Duration?

    /// How long it all may take, redirects included, from when it is sent.
    public var totalTimeout = Duration.seconds(3600)

    /// Where answers are kept, so that the server is only asked whether they have changed.
    public var revalidation: ResponseStore?

    /// Where answers are kept, to be used again without asking for as long as their servers allow.
    public var cache: HTTPCache?

    /// Whether equal loads that run at once make one transfer.
    public var sharesEqualLoads = false

    /// What requests are sent by in place of the network: a recording, or what records it.
    package var transport: (any Transport)?

    /// Whether something holds a secret, which is for the first origin alone.
    ///
    /// A header that does is left out of what goes elsewhere, and a body that does isn't sent there.
    package var isSecret: (@Sendable (Data) -> Bool)?

    /// Told when the load begins to wait in its host's line, and when that is over.
    package var lineWatch: (@Sendable (_ isWaiting: Bool) -> Void)?

    /// Makes options with these defaults.
    public init() {}
}
