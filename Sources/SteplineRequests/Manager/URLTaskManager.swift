public import Dispatch
public import Foundation
public import SteplineManager

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The one door for requests: each passes the interceptors before it is sent, and the reactors after.
///
/// With a configuration it has one long-lived session of its own, made from a copy of it; else it loads as steps
/// do that have no session. No header is added for routing. Once it is gone, its requests end as those of any `TaskManager` do.
public final class URLTaskManager: Sendable {
    /// What holds for all requests of a manager.
    public struct Options: Sendable {
        /// What holds for them as tasks.
        public var tasks = TaskManager.Options()
        /// How each request is loaded.
        public var load = LoadOptions()

        /// Makes options with these defaults.
        public init() {}
    }

    /// The manager that the requests pass through: pause, cancel, list and shut down there.
    public let tasks: TaskManager
    private let transport: any Transport
    private let options: Options

    /// Makes a manager; with a `transport` nothing touches the network unless it does.
    public init(
        _ name: String = "urls", interceptors: [any URLTaskInterceptor] = [],
        reactors: [any URLTaskReactor] = [],
        configuration: URLSessionConfiguration? = nil, transport: (any Transport)? = nil,
        options: Options = Options()
    ) {
        tasks = TaskManager(
            name, interceptors: interceptors.map { $0 }, reactors: reactors.map { $0 }, options: options.tasks
        )
        self.transport =
            transport ?? configuration.map { own in
                URLSessionTransport(configuration: own.copy() as? URLSessionConfiguration ?? own)
            } ?? NetworkTransport.standard
        self.options = options
    }

    /// Sends a request, and waits for its reply.
    ///
    /// Throws a connection's `URLError`, the ``RequestError`` of a refused status, or the manager's error.
    /// Cancelling the Swift task that waits cancels the request.
    public func data(
        for request: URLRequest, options: TaskManager.AddOptions = .init()
    ) async throws -> URLReply {
        try await tasks.run(task(for: request), options: options)
    }

    /// Loads a URL, and waits for its reply.
    public func data(from url: URL, options: TaskManager.AddOptions = .init()) async throws -> URLReply {
        try await data(for: URLRequest(url: url), options: options)
    }

    /// Adds a request and returns at once.
    @discardableResult
    public func add(
        _ request: URLRequest, options: TaskManager.AddOptions = .init(), on queue: DispatchQueue? = nil,
        completion: (@Sendable (Result<URLReply, any Error>) -> Void)? = nil
    ) -> TaskHandle<URLReply> {
        tasks.add(task(for: request), options: options, on: queue, completion: completion)
    }

    private func task(for request: URLRequest) -> URLTask {
        URLTask(request: request, load: options.load, transport: transport, clock: options.tasks.clock)
    }
}
