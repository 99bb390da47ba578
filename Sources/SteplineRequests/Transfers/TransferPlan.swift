package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// A request that is ready to be sent, with the rules for its response.
package struct TransferPlan: Sendable {
    /// The first request, without user and password in its URL, and without its body.
    package var request: URLRequest
    package var body: TransportBody
    package let options: LoadOptions
    /// Whether the rest of a partial file is requested; a 416 may then mean that nothing is left.
    package var isResuming = false
    /// Whether the request validates a stored response; a 304 is then a valid answer under any policy.
    package var isRevalidating = false
    /// The headers that must not follow a redirect to another origin, in addition to the standard ones.
    package var boundHeaders: Set<String> = []
    /// The time limit of the peer's silence.
    let idleTimeout: Duration

    /// Creates a plan from a request and options.
    package init(_ request: URLRequest, _ options: LoadOptions, session: URLSession? = nil) throws {
        self.options = options
        let idle = options.idleTimeout ?? Self.idleTimeout(of: request, session)
        idleTimeout = max(idle, .zero)
        body = try Self.body(of: request, options)
        self.request = request
        // Each setter copies Foundation's request.
        if request.httpBodyStream != nil { self.request.httpBodyStream = nil }
        if request.httpBody != nil { self.request.httpBody = nil }
        if let url = request.url { try check(url) }
        try checkHeader()
        complete()
    }

    private static func idleTimeout(of request: URLRequest, _ session: URLSession?) -> Duration {
        // An unset interval reads as 60 s, so the session's interval applies.
        let own = request.timeoutInterval
        let seconds = own == 60 ? session?.configuration.timeoutIntervalForRequest ?? own : own
        return seconds.isFinite ? .seconds(min(max(seconds, 0), 1e9)) : .seconds(1e9)
    }

    private static func body(of request: URLRequest, _ options: LoadOptions) throws -> TransportBody {
        switch options.body.kind {
        case .none:
            guard request.httpBodyStream == nil else {
                // A stream can be read only once, but a body may have to be sent again.
                throw RequestError(
                    .body, "a body can't be sent from a stream: give it as data or as a file",
                    request: request)
            }
            return request.httpBody.map { .data($0) } ?? .none
        case .data(let data): return .data(data)
        case .entry(let name):
            // Steps with content have replaced the entry by its bytes before this point.
            throw RequestError(
                .body, "the body is to be the entry \"\(name)\" of a bag, and there is none: give it as data",
                request: request)
        case .encoded(let encode, _):
            do {
                return .data(try encode())
            } catch {
                throw RequestError(.body, "the body can't be encoded", request: request, underlying: error)
            }
        case .file(let file):
            let path = file.path(percentEncoded: false)
            guard file.isFileURL, FileManager.default.isReadableFile(atPath: path) else {
                let cause = CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
                throw RequestError(.body, "can't read \(path)", request: request, underlying: cause)
            }
            return .file(file)
        }
    }

    /// Throws an error for a URL that can't be used.
    private func check(_ url: URL) throws {
        if let problem = options.problem(with: url) {
            throw RequestError(problem.code, problem.text, request: request)
        }
    }

    /// Throws if the method or a header is invalid; a line break would add another header.
    ///
    /// The headers of the options are checked before Foundation stores them, because Foundation silently drops some
    /// invalid ones.
    private func checkHeader() throws {
        guard HeaderField.isToken(request.httpMethod ?? "GET") else {
            throw RequestError(.header, "the method can't be sent", request: request)
        }
        // Sorted, so the reported header doesn't depend on the order of a dictionary.
        let fields = Array(options.headers) + Array(request.allHTTPHeaderFields ?? [:])
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard let problem = HeaderField.problem(name, value) else { continue }
            throw RequestError(.header, problem, request: request)
        }
    }

    private mutating func complete() {
        for (name, value) in options.headers { request.setValue(value, forHTTPHeaderField: name) }
        if let url = request.url, url.user != nil {
            // A header can be removed from a redirect, and doesn't appear in responses and errors.
            if request.value(forHTTPHeaderField: "Authorization") == nil {
                let user = url.user(percentEncoded: false) ?? ""
                let password = url.password(percentEncoded: false) ?? ""
                let credentials = Data("\(user):\(password)".utf8).base64EncodedString()
                request.setValue("Basic \(credentials)", forHTTPHeaderField: "Authorization")
            }
            request.url = url.withoutUser
        }
        guard case .none = body else {
            // Foundation reports GET for a request without an explicit method.
            if (request.httpMethod ?? "GET") == "GET" { request.httpMethod = "POST" }
            if request.value(forHTTPHeaderField: "Content-Type") == nil {
                let type = options.body.type ?? "application/octet-stream"
                request.setValue(type, forHTTPHeaderField: "Content-Type")
            }
            return
        }
    }

    /// Returns the transport for the request's URL; a file is read as the flow allows.
    func transport(_ network: any Transport, _ flow: TransportFlow?) -> any Transport {
        switch request.url?.scheme?.lowercased() {
        case "file": return FileTransport(flow: flow)
        case "data": return DataTransport()
        default: break
        }
        // A session can't be changed: TLS settings need a transport of the library.
        guard !options.tls.isDefault, !(network is FailingTransport) else { return network }
        if let tuned = (network as? any TunedTransport)?.tuned(by: options.tls) { return tuned }
        return FailingTransport {
            RequestError(.secureConnection, "options for TLS need the library's own transport", request: $0)
        }
    }

    /// Returns the queue and the limits of a request; nil if it doesn't wait.
    ///
    /// `connections` is the transport's default maximum for one host.
    func line(for request: URLRequest, connections: Int?) -> (host: String, limits: HostLimits)? {
        var limits = options.perHost
        limits.connections = limits.connections ?? connections
        guard limits.connections != nil || limits.interval != nil, let url = request.url,
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https"
        else { return nil }
        let origin = url.origin
        return (limits.coversAllPorts ? origin[1] : origin.joined(separator: " "), limits)
    }
}

extension LoadOptions {
    /// Throws an error if the options ask for a reuse of responses that a kind of load doesn't perform.
    ///
    /// - Parameters:
    ///   - request: The request of the load.
    ///   - kind: The kind of load, for the text of the error.
    ///   - caches: Whether the load uses the cache.
    package func refuseReuse(of request: URLRequest, by kind: String, caches: Bool = false) throws {
        let unused = [
            ("revalidation", revalidation != nil), ("cache", cache != nil && !caches),
            ("sharesEqualLoads", sharesEqualLoads),
        ]
        guard let (name, _) = unused.first(where: \.1) else { return }
        throw RequestError(
            .unsupported, "\(kind) doesn't support the option \(name): leave it out, or use a load step",
            request: request)
    }

    /// Returns the problem of a URL that is known before the load.
    package func problem(with url: URL) -> (code: RequestError.Code, text: String)? {
        let scheme = url.scheme?.lowercased() ?? ""
        guard schemes.contains(scheme) else {
            return (.scheme, "the scheme \"\(scheme)\" is not allowed")
        }
        if scheme == "http" || scheme == "https", (url.host() ?? "").isEmpty {
            return (.badURL, "the URL has no host")
        }
        return nil
    }
}

extension TransferPlan {
    /// Whether a body is sent.
    package var hasBody: Bool {
        if case .none = body { false } else { true }
    }
}
