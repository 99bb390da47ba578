extension TaskManagerError {
    /// A kind of error; later versions may add further kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// Makes a code of one's own.
        public init(_ name: String) { description = name }

        /// The reason of a cancelled task: passed to ``ManagedTask/didCancel(because:)``, never the error of an
        /// outcome.
        public static let cancelled = Code("cancelled")
        /// A time limit expired.
        public static let timedOut = Code("timedOut")
        /// An interceptor discarded it.
        public static let discarded = Code("discarded")
        /// An interceptor gave no answer in time.
        public static let interceptorTimedOut = Code("interceptorTimedOut")
        /// An interceptor held it for too long, or too many.
        public static let holdExpired = Code("holdExpired")
        /// The run of a reactor that it waited for failed.
        public static let reactorFailed = Code("reactorFailed")
        /// The run of a reactor that it waited for took too long.
        public static let reactorTimedOut = Code("reactorTimedOut")
        /// The last copy of its completion was dropped uncalled.
        public static let completionDropped = Code("completionDropped")
        /// As many tasks as allowed were waiting.
        public static let tooManyTasks = Code("tooManyTasks")
        /// The manager is gone, and takes nothing more.
        public static let managerReleased = Code("managerReleased")
        /// The operation isn't supported in this way.
        public static let unsupported = Code("unsupported")
        /// To wait here would be to wait for oneself.
        public static let wouldBlock = Code("wouldBlock")
        /// The task was still running when a bounded wait ended.
        public static let stillRunning = Code("stillRunning")

        /// The predicate of an error's message; the name of a code that a user made.
        var phrase: String {
            switch self {
            case .cancelled: "was cancelled"
            case .timedOut: "timed out"
            case .discarded: "was discarded"
            case .interceptorTimedOut: "got no answer of its interceptor"
            case .holdExpired: "was held beyond the limits"
            case .reactorFailed: "waited for a reactor that failed"
            case .reactorTimedOut: "waited for a reactor that timed out"
            case .completionDropped: "dropped its completion uncalled"
            case .tooManyTasks: "came while too many were waiting"
            case .managerReleased: "came when its manager was gone"
            case .unsupported: "is not supported"
            case .wouldBlock: "can't be waited for here"
            case .stillRunning: "is still running"
            // Users create codes too: their name is the text.
            default: description
            }
        }
    }
}

extension TaskManagerError.Code {
    /// Returns whether `error` is a manager's error with this code.
    public static func ~= (code: TaskManagerError.Code, error: any Error) -> Bool {
        (error as? TaskManagerError)?.code == code
    }
}
