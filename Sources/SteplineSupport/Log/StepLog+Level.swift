extension StepLog {
    /// How important a record is.
    public enum Level: Int, Sendable, Hashable, CaseIterable, Comparable, Codable {
        /// Everything.
        case verbose
        /// For whoever looks for a fault; left out of release builds.
        case debug
        /// The usual.
        case info
        /// Something to look at.
        case warning
        /// Something went wrong.
        case error

        /// The letter that stands for it in a line.
        public var letter: String {
            switch self {
            case .verbose: "V"
            case .debug: "D"
            case .info: "I"
            case .warning: "W"
            case .error: "E"
            }
        }

        /// Less important first.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The tags by which the library's own records can be told apart.
    public enum Tag {
        /// What a manager decides.
        public static let decision = "tq"
        /// What bodies do.
        public static let body = "oq"
        /// What reactors do.
        public static let reactor = "rq"
        /// What callers do.
        public static let caller = "cq"
        /// What interceptors do.
        public static let interceptor = "iq"
    }
}
