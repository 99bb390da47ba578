public import SteplineSupport

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The transport over `URLSession`: one long-lived session for all exchanges, or the caller's own.
public final class URLSessionTransport: Transport {
    /// The transport that is used on Apple's platforms unless a session is given: its session lives as long as the
    /// process, with cookies in memory.
    public static let shared: URLSessionTransport = {
        let configuration = URLSessionConfiguration.ephemeral
        #if canImport(FoundationNetworking)
            // Linux stores nothing that came by HTTP, and only takes its time to look.
            configuration.urlCache = nil
        #endif
        return URLSessionTransport(configuration: configuration)
    }()

    /// So long that Foundation's own time-out never comes: time-outs go by the clock that was injected.
    private static let never: TimeInterval = 30 * 86_400

    private let session: URLSession
    private let delegate: SessionDelegate
    private let calls: SessionCalls
    /// Whether the session is the caller's, so that only its tasks can be listened to.
    private let isForeign: Bool

    /// Makes a transport with a session of its own.
    ///
    /// Sessions are for keeping: on Linux making and dropping one per request leaks.
    public init(configuration: URLSessionConfiguration) {
        (session, delegate, calls) = Self.makeSession(configuration)
        isForeign = false
    }

    /// Makes a transport for the caller's session.
    ///
    /// Elsewhere its tasks are that session's own. On Linux, where a task can't have a delegate for its data and
    /// a slow delegate has the body pile up in memory, they are those of a session beside it with the same
    /// configuration: cookies, credentials, protocols, headers and proxies are shared, the pool of connections
    /// isn't, and the session's delegate is asked for credentials.
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
        if !isForeign { session.finishTasksAndInvalidate() }
    }

    private static func makeSession(
        _ configuration: URLSessionConfiguration, _ forwarded: (any URLSessionDelegate)? = nil
    ) -> (URLSession, SessionDelegate, SessionCalls) {
        #if canImport(FoundationNetworking)
            let queue = InlineQueue()
        #else
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
        #endif
        let calls = SessionCalls()
        let delegate = SessionDelegate(calls, forwardingTo: forwarded)
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        return (session, delegate, calls)
    }

    /// Sends a request over the session.
    ///
    /// On Linux the events come on a queue that all sessions of the process share: a `receive` that blocks holds them
    /// all up, and whoever asks one of them for a task.
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
