public import SteplineManager

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

extension URLTaskManager {
    /// The settings of all requests of a manager.
    ///
    /// All options of a `TaskManager` are accessible directly: `options.maximumConcurrency = 20`.
    @dynamicMemberLookup
    public struct Options: Sendable {
        /// The settings of the requests as tasks.
        public var tasks: TaskManager.Options
        /// The settings of each load.
        ///
        /// `revalidation`, `cache` and `sharesEqualLoads` fail the requests: a manager sends each of them.
        public var load: LoadOptions
        /// The maximum number of concurrent requests per scheme, host and port; nil for no limit.
        ///
        /// A larger limit than the transport's also replaces that one, unless `load.perHost` has a limit.
        public var maximumPerHost: Int?
        /// Different limits for some hosts, by `host` or `host:port`.
        public var hostLimits: [String: Int]
        /// The parts of header and query names that mark secrets, in addition to the built-in ones.
        public var redacts: Set<String>
        /// The observers of the requests.
        public var monitors: [any URLTaskMonitor]

        /// Creates options.
        ///
        ///     URLTaskManager(options: .init(tasks: .init(clock: clock), maximumPerHost: 10))
        ///
        /// - Parameters:
        ///   - tasks: The settings of the requests as tasks, for example the clock and the log.
        ///   - load: The settings of each load.
        ///   - maximumPerHost: The maximum number of concurrent requests per host; nil for no limit.
        ///   - hostLimits: Different limits for some hosts, by `host` or `host:port`.
        ///   - redacts: Parts of header and query names that mark secrets.
        ///   - monitors: The observers of the requests.
        public init(
            tasks: TaskManager.Options = .init(), load: LoadOptions = .init(), maximumPerHost: Int? = 6,
            hostLimits: [String: Int] = [:], redacts: Set<String> = [], monitors: [any URLTaskMonitor] = []
        ) {
            self.tasks = tasks
            self.load = load
            self.maximumPerHost = maximumPerHost
            self.hostLimits = hostLimits
            self.redacts = redacts
            self.monitors = monitors
        }

        /// Accesses an option of the tasks.
        public subscript<Value>(dynamicMember member: WritableKeyPath<TaskManager.Options, Value>) -> Value {
            get { tasks[keyPath: member] }
            set { tasks[keyPath: member] = newValue }
        }

        /// Returns the lane of all requests to one scheme, host and port.
        func lane(of request: URLRequest) -> TaskLane? {
            guard let origin = request.url?.origin, !origin[1].isEmpty else { return nil }
            return limit(of: origin).map { TaskLane(origin.joined(separator: ":"), limit: $0) }
        }

        private func limit(of origin: [String]) -> Int? {
            hostLimits["\(origin[1]):\(origin[2])"] ?? hostLimits[origin[1]] ?? maximumPerHost
        }

        /// Returns the number of connections to a request's host, if it is larger than the transport's own limit.
        func connections(for request: URLRequest, above most: Int) -> Int? {
            guard let origin = request.url?.origin, !origin[1].isEmpty else { return nil }
            let limit = limit(of: origin) ?? 256
            return limit > most ? limit : nil
        }
    }
}
