extension StepLog {
    /// The level of a record.
    public enum Level: Int, Sendable, Hashable, CaseIterable, Comparable, Codable {
        /// Details of normal operation.
        case verbose
        /// Details for debugging; excluded from release builds.
        case debug
        /// Normal events.
        case info
        /// Events that need attention.
        case warning
        /// Errors.
        case error

        /// The letter of the level in a line.
        public var letter: String {
            switch self {
            case .verbose: "V"
            case .debug: "D"
            case .info: "I"
            case .warning: "W"
            case .error: "E"
            }
        }

        /// Orders levels by increasing importance.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The tags of the library's own records.
    public enum Tag {
        /// The decisions of a manager.
        public static let decision = "tq"
        /// The actions of bodies.
        public static let body = "oq"
        /// The actions of reactors.
        public static let reactor = "rq"
        /// The actions of callers.
        public static let caller = "cq"
        /// The actions of interceptors.
        public static let interceptor = "iq"
    }
}
