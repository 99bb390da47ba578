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
        public var tasks = TaskManager.Options()
        /// The settings of each load.
        ///
        /// `revalidation`, `cache` and `sharesEqualLoads` fail the requests: a manager sends each of them.
        public var load = LoadOptions()
        /// The maximum number of concurrent requests per scheme, host and port; nil for no limit.
        public var maximumPerHost: Int? = 6
        /// Different limits for some hosts, by `host` or `host:port`.
        public var hostLimits: [String: Int] = [:]
        /// The parts of header and query names that mark secrets, in addition to the built-in ones.
        public var redacts: Set<String> = []
        /// The observers of the requests.
        public var monitors: [any URLTaskMonitor] = []

        /// Creates options with the defaults.
        public init() {}

        /// Accesses an option of the tasks.
        public subscript<Value>(dynamicMember member: WritableKeyPath<TaskManager.Options, Value>) -> Value {
            get { tasks[keyPath: member] }
            set { tasks[keyPath: member] = newValue }
        }

        /// Returns the lane of all requests to one scheme, host and port.
        func lane(of request: URLRequest) -> TaskLane? {
            guard let origin = request.url?.origin, !origin[1].isEmpty else { return nil }
            let limit = hostLimits["\(origin[1]):\(origin[2])"] ?? hostLimits[origin[1]] ?? maximumPerHost
            return limit.map { TaskLane(origin.joined(separator: ":"), limit: $0) }
        }
    }
}
