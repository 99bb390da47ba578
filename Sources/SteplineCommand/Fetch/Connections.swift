import Foundation
import SteplineRequests

/// The network settings that all loads of a run share: cookies, cache, TLS and limits per host.
struct Connections: Sendable {
    var cookies: CookieJar?
    var tls = TLSOptions()
    var perHost = HostLimits()
    var cache: HTTPCache?
    /// The transport that replaces the network, for tests.
    var transport: (any Transport)?

    /// Creates the default settings.
    init() {}

    /// Creates the settings from the options of `fetch`.
    init(_ arguments: Arguments, _ session: Session) {
        // Without a file, cookies last for this run only.
        cookies = arguments[.cookies].map { .file(session.place($0)) } ?? .memory()
        tls = TLSOptions(authorities: arguments[.caCert].map(session.place), minimumVersion: arguments[.tls])
        if let file = arguments[.cert] {
            show(session.place(file), key: arguments[.certKey].map(session.place), session.environment)
        }
        cache = arguments[.cache].map { .folder(session.place($0)) }
        perHost = HostLimits(
            connections: arguments[.jobs] ?? FetchPlan.usualJobs,
            requestsPerSecond: arguments[.rate])
    }

    /// Sets the client certificate; the environment has the password of its key.
    mutating func show(_ certificate: URL, key: URL?, _ environment: [String: String]) {
        tls.clientCertificate = TLSOptions.ClientCertificate(
            certificate, key: key, password: environment["STEPLINE_KEY_PASSWORD"])
    }

    func applied(to options: LoadOptions) -> LoadOptions {
        var options = options
        if let cookies { options.cookies = cookies }
        options.tls = tls
        options.perHost = perHost
        options.cache = cache
        options.transport = transport
        return options
    }
}
