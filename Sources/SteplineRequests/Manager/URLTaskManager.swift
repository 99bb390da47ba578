public import Dispatch
public import Foundation
public import SteplineManager
public import SteplineSupport

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The one door for requests: each passes the interceptors before it is sent, and the reactors after.
///
/// With a configuration it has one long-lived session of its own, made from a copy of it; else it loads as steps
/// do that have no session. No header is added for routing. Once it is gone, its requests end as those of any
/// `TaskManager` do.
public final class URLTaskManager: Sendable {
    /// The manager that the requests pass through: pause, cancel, list and shut down there.
    public let tasks: TaskManager
    let door: URLTaskDoor
    private let configuration: URLSessionConfiguration
    private let sessions = Locked<SessionPlace?>(nil)

    /// Makes a manager; with a `transport` nothing touches the network unless it does.
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
        let own = configuration.map { $0.copy() as? URLSessionConfiguration ?? $0 }
        self.configuration = own ?? .default
        door = URLTaskDoor(tasks, transport ?? Self.transport(over: own), options)
    }

    private static func transport(over own: URLSessionConfiguration?) -> any Transport {
        guard let own else { return NetworkTransport.standard }
        return own.identifier == nil ? URLSessionTransport(configuration: own) : NoTransport()
    }

    deinit { sessions.withLock { $0 }?.close() }

    /// A session whose data tasks go the same way: interceptors, transfer, reactors.
    ///
    /// Any status reaches a task's handler; a refused task is the manager's error. Cancelling a task cancels its
    /// handle. Upload and download tasks fail as unsupported. After a shutdown, and when the manager is gone, its
    /// tasks fail; the session itself stays valid, since to use an invalid one ends the process. On Linux the
    /// header `WWW-Authenticate` of a 401 isn't passed on, which Foundation would answer by itself, and to make or
    /// cancel a task waits for a queue that all sessions of the process share.
    public var session: URLSession {
        // Made outside the lock; of two that are made at once one counts.
        if let place = sessions.withLock({ $0 }) { return place.session }
        let made = SessionPlace(for: door, like: configuration)
        let kept = sessions.withLock { place in
            place = place ?? made
            return place ?? made
        }
        return kept.session
    }

    // MARK: Requests

    /// Sends a request, and waits for its reply.
    ///
    /// Throws a connection's `URLError`, the ``RequestError`` of a refused status, the manager's error, or
    /// `CancellationError` if it was cancelled. Cancelling the Swift task that waits cancels the request.
    public func data(
        for request: URLRequest, options: TaskManager.AddOptions = .init()
    ) async throws -> URLReply {
        try await run(door.task(for: request), options)
    }

    /// Loads a URL, and waits for its reply.
    public func data(from url: URL, options: TaskManager.AddOptions = .init()) async throws -> URLReply {
        try await data(for: URLRequest(url: url), options: options)
    }

    /// Sends a request with a body, and waits for its reply; without a method of its own it is a `POST`.
    public func upload(
        _ request: URLRequest, body: RequestBody, options: TaskManager.AddOptions = .init()
    ) async throws -> URLReply {
        var task = door.task(for: request)
        task.load.body = body
        return try await run(task, options)
    }

    /// Adds a request and returns at once.
    @discardableResult
    public func add(
        _ request: URLRequest, options: TaskManager.AddOptions = .init(), on queue: DispatchQueue? = nil,
        onEnd: (@Sendable (Outcome<URLReply>) -> Void)? = nil
    ) -> TaskHandle<URLReply> {
        add(door.task(for: request), options, on: queue, onEnd: onEnd)
    }

    /// Adds a request whose body is taken by `loading`, or in memory.
    @discardableResult
    package func add(
        _ request: URLRequest, load: LoadOptions?, loading: URLTaskLoading? = nil,
        options: TaskManager.AddOptions = .init(),
        onEnd: (@Sendable (Outcome<URLReply>) -> Void)? = nil
    ) -> TaskHandle<URLReply> {
        add(door.task(for: request, load: load, loading: loading), options, onEnd: onEnd)
    }

    private func run(_ task: URLTask, _ options: TaskManager.AddOptions) async throws -> URLReply {
        try await add(task, options, onEnd: nil).valueOfRun
    }

    private func add(
        _ task: URLTask, _ options: TaskManager.AddOptions, on queue: DispatchQueue? = nil,
        onEnd: (@Sendable (Outcome<URLReply>) -> Void)?
    ) -> TaskHandle<URLReply> {
        tasks.add(task, options: options, on: queue, onEnd: onEnd).telling(task.story)
    }
}
