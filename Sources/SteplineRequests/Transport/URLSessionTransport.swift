public import SteplineSupport

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The transport over `URLSession`: a long-lived session for all exchanges, or the caller's own.
public final class URLSessionTransport: Transport {
    /// The default transport on Apple's platforms, whose session lives as long as the process, with cookies in memory.
    public static let shared: URLSessionTransport = {
        let configuration = URLSessionConfiguration.ephemeral
        #if canImport(FoundationNetworking)
            // On Linux the cache stores no HTTP responses, but each lookup costs time.
            configuration.urlCache = nil
        #endif
        return URLSessionTransport(configuration: configuration)
    }()

    /// An interval that disables Foundation's time-out: time limits use the injected clock.
    private static let never: TimeInterval = 30 * 86_400

    private let session: URLSession
    private let delegate: SessionDelegate
    private let calls: SessionCalls
    /// Whether the session belongs to the caller, so only its tasks can have the delegate.
    private let isForeign: Bool

    /// Creates a transport with its own session.
    ///
    /// Keep the transport: on Linux, creating and releasing a session per request leaks memory.
    ///
    /// - Parameter configuration: The configuration of the session.
    public init(configuration: URLSessionConfiguration) {
        (session, delegate, calls) = Self.makeSession(configuration)
        isForeign = false
    }

    /// Creates a transport for the caller's session.
    ///
    /// On Apple's platforms the tasks belong to that session. On Linux a task can't have its own data delegate, and a
    /// slow delegate lets the body accumulate in memory. There the tasks belong to a second session with the same
    /// configuration. Cookies, credentials, protocols, headers and proxies are shared, the connection pool is not. The
    /// caller's delegate answers challenges.
    ///
    /// - Parameter session: The caller's session.
    public init(session: URLSession) {
        #if canImport(FoundationNetworking)
            (self.session, delegate, calls) = Self.makeSession(session.configuration, session.delegate)
            isForeign = false
        #else
            calls = SessionCalls()
            delegate = SessionDelegate(calls)
            self.session = session
            isForeign = true
        #endif
    }

    deinit {
        // The session retains its delegate until it is invalidated.
        if !isForeign { session.finishTasksAndInvalidate() }
    }

    private static func makeSession(
        _ configuration: URLSessionConfiguration, _ forwarded: (any URLSessionDelegate)? = nil
    ) -> (URLSession, SessionDelegate, SessionCalls) {
        #if canImport(FoundationNetworking)
            let queue = InlineQueue()
        #else
            let queue = OperationQueue()
            // Serial: the events of an exchange must not overtake each other.
            queue.maxConcurrentOperationCount = 1
        #endif
        let calls = SessionCalls()
        let delegate = SessionDelegate(calls, forwardingTo: forwarded)
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        return (session, delegate, calls)
    }

    /// Sends a request over the session.
    ///
    /// On Linux the events come on a queue that all sessions of the process share. A `receive` that blocks would block
    /// them all, and every caller that asks a session for a task.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body.
    ///   - receive: The receiver of the events.
    /// - Returns: A subscription whose cancellation stops the exchange.
    public func send(
        _ request: URLRequest, body: TransportBody, _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> Subscription {
        let exchange = SessionExchange(calls, StagedExchange(request, TransportTerms(), receive).receive)
        #if canImport(FoundationNetworking)
            calls.make { self.start(exchange, request, body) }
        #else
            start(exchange, request, body)
        #endif
        return Subscription { exchange.stop() }
    }

    private func start(_ exchange: SessionExchange, _ request: URLRequest, _ body: TransportBody) {
        guard !exchange.isStopped else { return }
        let task = makeTask(request, body)
        #if !canImport(FoundationNetworking)
            if isForeign { task.delegate = delegate }
        #endif
        // Registered before the task runs: its first event must find the exchange.
        delegate.add(exchange, for: task)
        exchange.run(task)
    }

    private func makeTask(_ request: URLRequest, _ body: TransportBody) -> URLSessionTask {
        var request = request
        request.timeoutInterval = Self.never
        switch body {
        case .none:
            return session.dataTask(with: request)
        case .data(let data):
            request.httpBody = data
            return session.dataTask(with: request)
        case .file(let file):
            return session.uploadTask(with: request, fromFile: file)
        }
    }
}
