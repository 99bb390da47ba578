public import Dispatch
public import Foundation
public import SteplineManager
public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A manager of requests: interceptors adapt a request before it is sent, reactors handle its outcome.
///
/// With a configuration the manager has its own long-lived session. Otherwise it uses the transport of steps without a
/// session. The manager adds no headers. After its release, its requests end like those of any `TaskManager`.
public final class URLTaskManager: Sendable {
    /// The task manager of the requests, which pauses, cancels, lists and shuts down.
    public let tasks: TaskManager
    let factory: URLTaskFactory
    private let configuration: URLSessionConfiguration
    private let sessions = Locked<SessionPlace?>(nil)

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - name: The name in logs and explanations.
    ///   - interceptors: The interceptors, in the order in which they are asked.
    ///   - reactors: The reactors, in the order in which they are asked.
    ///   - configuration: The configuration of the manager's own session, copied here; nil for none.
    ///   - transport: The transport, for example a test double; nil for the network.
    ///   - options: The settings of all requests.
    public init(
        _ name: String = "urls", interceptors: [any URLTaskInterceptor] = [],
        reactors: [any URLTaskReactor] = [],
        configuration: URLSessionConfiguration? = nil, transport: (any Transport)? = nil,
        options: Options = Options()
    ) {
        tasks = TaskManager(
            name, interceptors: interceptors.map { $0 }, reactors: reactors.map { $0 },
            options: options.tasks
        ) { task in (task as? URLTask).flatMap { options.lane(of: $0.request) } }
        // A copy: later changes of the caller's configuration have no effect.
        let own = configuration.map { $0.copy() as? URLSessionConfiguration ?? $0 }
        self.configuration = own ?? .default
        factory = URLTaskFactory(tasks, transport ?? Self.transport(over: own), options)
    }

    private static func transport(over own: URLSessionConfiguration?) -> any Transport {
        guard let own else { return NetworkTransport.standard }
        guard own.identifier != nil else { return URLSessionTransport(configuration: own) }
        return FailingTransport { _ in TaskManagerError.unsupported("a background session can't be used") }
    }

    // A session may outlive the manager: its later tasks fail with `managerReleased`.
    deinit { sessions.withLock { $0 }?.close() }

    /// A session whose data tasks pass through the manager: interceptors, transfer, reactors.
    ///
    /// A task's handler receives any status. A rejected task fails with the manager's error. Cancelling a task cancels
    /// its handle. Upload and download tasks fail as unsupported. After a shutdown or the release of the manager, tasks
    /// fail. The session stays valid, because using an invalid session ends the process.
    ///
    /// On Linux the `WWW-Authenticate` header of a 401 is removed, because Foundation would answer it itself. Creating
    /// or cancelling a task there waits for a queue that all sessions of the process share.
    public var session: URLSession {
        // Created without the lock; if two threads create a session, one is kept.
        if let place = sessions.withLock({ $0 }) { return place.session }
        let made = SessionPlace(for: factory, like: configuration)
        let first = sessions.withLock { place in
            defer { place = place ?? made }
            return place
        }
        guard let first else { return made.session }
        made.discard()
        return first.session
    }

    // MARK: Requests

    /// Sends a request and waits for its reply.
    ///
    /// Cancelling the waiting Swift task cancels the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The options of this addition.
    /// - Returns: The reply.
    /// - Throws: The `URLError` of a connection, the ``RequestError`` of a failed status, the manager's error, or
    ///   `CancellationError`.
    public func data(
        for request: URLRequest, options: TaskManager.AddOptions = .init()
    ) async throws -> URLReply {
        try await run(factory.task(for: request), options)
    }

    /// Loads a URL and waits for its reply; see ``data(for:options:)``.
    ///
    /// - Throws: The errors of ``data(for:options:)``.
    public func data(from url: URL, options: TaskManager.AddOptions = .init()) async throws -> URLReply {
        try await data(for: URLRequest(url: url), options: options)
    }

    /// Sends a request with a body and waits for its reply; without an explicit method the request is a `POST`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - body: The body.
    ///   - options: The options of this addition.
    /// - Returns: The reply.
    /// - Throws: The errors of ``data(for:options:)``.
    public func upload(
        _ request: URLRequest, body: RequestBody, options: TaskManager.AddOptions = .init()
    ) async throws -> URLReply {
        var task = factory.task(for: request)
        task.load.body = body
        return try await run(task, options)
    }

    /// Adds a request and returns at once.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The options of this addition.
    ///   - queue: The queue for `onEnd`; nil for the thread on which the request ends.
    ///   - onEnd: Called exactly once, with the outcome.
    /// - Returns: The handle, which can be ignored.
    @discardableResult
    public func add(
        _ request: URLRequest, options: TaskManager.AddOptions = .init(), on queue: DispatchQueue? = nil,
        onEnd: (@Sendable (Outcome<URLReply>) -> Void)? = nil
    ) -> TaskHandle<URLReply> {
        add(factory.task(for: request), options, on: queue, onEnd: onEnd)
    }

    /// Adds a request whose body is received by `loading`; nil receives the body in memory.
    @discardableResult
    package func add(
        _ request: URLRequest, load: LoadOptions?, loading: URLTaskLoading? = nil,
        options: TaskManager.AddOptions = .init(),
        onEnd: (@Sendable (Outcome<URLReply>) -> Void)? = nil
    ) -> TaskHandle<URLReply> {
        add(factory.task(for: request, load: load, loading: loading), options, onEnd: onEnd)
    }

    private func run(_ task: URLTask, _ options: TaskManager.AddOptions) async throws -> URLReply {
        try await add(task, options, onEnd: nil).valueOfRun
    }

    private func add(
        _ task: URLTask, _ options: TaskManager.AddOptions, on queue: DispatchQueue? = nil,
        onEnd: (@Sendable (Outcome<URLReply>) -> Void)?
    ) -> TaskHandle<URLReply> {
        tasks.add(task, options: options, on: queue, onEnd: onEnd).telling(task.reporter)
    }
}
