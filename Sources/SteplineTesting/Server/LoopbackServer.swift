public import Foundation
import SteplineSupport

/// An HTTP/1.1 server on 127.0.0.1 for tests, with scripted responses, recorded requests, and faults.
///
///     let server = try LoopbackServer()
///     server.route("/greeting", .text("hello"))
///     server.route("/lost", .pattern(count: 5000).fault(.reset(after: 100)))
///     let bytes = try await load(server.url("/greeting"))
///
/// The server listens on a free port, handles each connection on its own thread, and keeps connections alive.
/// ``stop()``, or the release of the last reference, ends all its threads and sockets.
public final class LoopbackServer: Sendable {
    private let core: ServerCore

    /// Starts a server.
    ///
    /// - Parameter recordedBodyLimit: The number of bytes recorded of each request's body; further bytes are only
    ///   counted.
    /// - Throws: A `POSIXError` if no socket is available.
    public init(recordedBodyLimit: Int = 16 << 20) throws {
        core = try ServerCore(bodyLimit: recordedBodyLimit)
        core.start()
    }

    deinit { core.stop() }

    /// The port of the server.
    public var port: Int { core.port }

    /// Returns the URL of a path, which may contain a query: `url("/search?q=1")`.
    public func url(_ path: String = "/") -> URL {
        let text = "http://127.0.0.1:\(port)" + (path.begins(with: "/") ? "" : "/") + path
        return URL(string: text) ?? URL(filePath: path)
    }

    // MARK: Routes

    /// Handles requests for a path with a closure, on the connection's thread.
    ///
    /// Later routes precede earlier ones. A handler may block its thread, for example with a ``Gate``.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - method: The method; nil for all methods.
    ///   - handler: Returns the response to a request.
    public func route(
        _ path: String, method: String? = nil,
        _ handler: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse
    ) {
        core.add(method, path, isPrefix: false, handler)
    }

    /// Answers all requests for a path with the same response.
    public func route(_ path: String, method: String? = nil, _ response: LoopbackResponse) {
        core.add(method, path, isPrefix: false) { _ in response }
    }

    /// Answers requests for a path with successive responses; the last one is repeated.
    public func route(_ path: String, method: String? = nil, inTurn responses: [LoopbackResponse]) {
        let given = Locked(0)
        core.add(method, path, isPrefix: false) { _ in
            // Counted and read in one critical section, because connections have their own threads.
            let count = given.withLock { count -> Int in
                count = min(count + 1, responses.count)
                return count
            }
            return count > 0 ? responses[count - 1] : .status(404)
        }
    }

    /// Answers requests for a path with the given user and password; other requests receive a 401.
    public func route(
        _ path: String, user: String, password: String, realm: String = "test", _ response: LoopbackResponse
    ) {
        let expected = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        core.add(nil, path, isPrefix: false) { request in
            guard request["Authorization"] == expected else {
                return .text("unauthorized", status: 401)
                    .header("WWW-Authenticate", "Basic realm=\"\(realm)\"")
            }
            return response
        }
    }

    /// Redirects a path to itself for ever.
    package func routeEndlessRedirects(_ path: String) {
        core.add(nil, path, isPrefix: true) { request in
            let round = request.query.flatMap { Int($0) } ?? 0
            return .redirect(to: "\(path)?\(round + 1)")
        }
    }

    /// Serves the files of a folder below a path, with entity tags and ranges.
    ///
    /// Requests for anything but a file inside the folder receive a 404.
    public func serve(folder: URL, under path: String = "/") {
        let files = FolderRoute(folder: folder, path: path)
        core.add(nil, path, isPrefix: true) { files.answer($0) }
    }

    // MARK: What happened

    /// All requests so far, in order of receipt.
    public var requests: [LoopbackRequest] { core.requests.values }

    /// How many connections are open.
    package var openConnections: Int { core.openConnections }

    /// How many connections there have been.
    package var connectionCount: Int { core.opened.count }

    /// Waits until the given number of requests was received in total.
    public func waitForRequests(_ count: Int = 1) async { await core.requests.waitForCount(count) }

    /// Waits until so many connections have been closed in all, by whichever side.
    package func waitForClosedConnections(_ count: Int = 1) async { await core.closed.waitForCount(count) }

    /// Waits until a connection has been closed: the moment at which the server sees its peer gone.
    package func waitUntilClosed(connection number: Int) async { await core.waitUntilClosed(number) }

    // MARK: Ending

    /// Closes all connections and accepts no more.
    ///
    /// Returns at once. The server's threads end soon after, unless a handler blocks one.
    public func stop() { core.stop() }

    /// Waits until all threads have ended and all sockets are closed; handlers that block hold it up.
    package func waitUntilStopped() async { await core.stopped.value }
}
