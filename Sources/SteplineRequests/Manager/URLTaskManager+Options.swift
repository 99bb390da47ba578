public import SteplineManager

#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

extension URLTaskManager {
    /// What holds for all requests of a manager.
    ///
    /// All options of a `TaskManager` can be set on it directly: `options.maximumConcurrency = 20`.
    @dynamicMemberLookup
    public struct Options: Sendable {
        /// What holds for them as tasks.
        public var tasks = TaskManager.Options()
        /// How each request is loaded.
        public var load = LoadOptions()
        /// How many requests to one scheme, host and port are under way at once; nil: any number.
        public var maximumPerHost: Int? = 6
        /// Other limits for some hosts, by `host` or `host:port`.
        public var hostLimits: [String: Int] = [:]
        /// Parts of the names of headers and query items that are secret, beside those that always are.
        public var redacts: Set<String> = []
        /// Who is told what happens.
        public var monitors: [any URLTaskMonitor] = []

        /// Makes options with these defaults.
        public init() {}

        /// An option of the tasks.
        public subscript<Value>(dynamicMember member: WritableKeyPath<TaskManager.Options, Value>) -> Value {
            get { tasks[keyPath: member] }
            set { tasks[keyPath: member] = newValue }
        }

        /// The lane of all requests to one scheme, host and port.
        func lane(of request: URLRequest) -> TaskLane? {
            guard let origin = request.url?.origin, !origin[1].isEmpty else { return nil }
            let limit = hostLimits["\(origin[1]):\(origin[2])"] ?? hostLimits[origin[1]] ?? maximumPerHost
            return limit.map { TaskLane(origin.joined(separator: ":"), limit: $0) }
        }
    }
}
