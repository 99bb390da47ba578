import Foundation
import SteplineRequests

/// What all loads of a run share: cookies, a cache, what is told of TLS, and how much is asked of a host.
struct Connections: Sendable {
    var cookies: CookieJar?
    var tls = TLSOptions()
    var perHost = HostLimits()
    var cache: HTTPCache?
    /// What requests are sent by in place of the network.
    var transport: (any Transport)?

    /// Makes what changes nothing.
    init() {}

    /// Takes what the command line says of `fetch`.
    init(_ arguments: Arguments, _ session: Session) {
        // Unless a file is named nothing is kept between runs.
        cookies = arguments[.cookies].map { .file(session.place($0)) } ?? .memory()
        tls = TLSOptions(authorities: arguments[.caCert].map(session.place), minimumVersion: arguments[.tls])
        if let file = arguments[.cert] {
            show(session.place(file), key: arguments[.key].map(session.place), session.environment)
        }
        cache = arguments[.cache].map { .folder(session.place($0)) }
        perHost = HostLimits(
            connections: arguments[.jobs] ?? FetchPlan.usualJobs,
            requestsPerSecond: arguments[.rate])
    }

    /// Has a certificate shown to servers that ask for one; the environment has what unlocks its key.
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
