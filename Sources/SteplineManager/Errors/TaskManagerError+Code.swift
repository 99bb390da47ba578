extension TaskManagerError {
    /// A kind of error; more may be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String
        let phrase: String

        /// Makes a code of one's own.
        public init(_ name: String) { self.init(name, name) }

        private init(_ name: String, _ phrase: String) {
            description = name
            self.phrase = phrase
        }

        /// Somebody or something called it off: what ``ManagedTask/didCancel(because:)`` is told, never an outcome's error.
        public static let cancelled = Code("cancelled", "was cancelled")
        /// A time limit expired.
        public static let timedOut = Code("timedOut", "timed out")
        /// An interceptor discarded it.
        public static let discarded = Code("discarded", "was discarded")
        /// An interceptor gave no answer in time.
        public static let interceptorTimedOut = Code(
            "interceptorTimedOut", "got no answer of its interceptor")
        /// An interceptor held it for too long, or too many.
        public static let holdExpired = Code("holdExpired", "was held beyond the limits")
        /// The run of a reactor that it waited for failed.
        public static let reactorFailed = Code("reactorFailed", "waited for a reactor that failed")
        /// The run of a reactor that it waited for took too long.
        public static let reactorTimedOut = Code("reactorTimedOut", "waited for a reactor that timed out")
        /// The last copy of its completion was dropped uncalled.
        public static let completionDropped = Code("completionDropped", "dropped its completion uncalled")
        /// As many tasks as allowed were waiting.
        public static let tooManyTasks = Code("tooManyTasks", "came while too many were waiting")
        /// The manager is gone, and takes nothing more.
        public static let managerReleased = Code("managerReleased", "came when its manager was gone")
        /// It can't be done in this way.
        public static let unsupported = Code("unsupported", "is not supported")
        /// To wait here would be to wait for oneself.
        public static let wouldBlock = Code("wouldBlock", "can't be waited for here")
        /// It was still running when a bounded wait gave up.
        public static let stillRunning = Code("stillRunning", "is still running")

        /// Whether the names are the same.
        public static func == (left: Code, right: Code) -> Bool { left.description == right.description }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }
}

extension TaskManagerError.Code {
    /// Whether `error` is a manager's error of this code.
    public static func ~= (code: TaskManagerError.Code, error: any Error) -> Bool {
        (error as? TaskManagerError)?.code == code
    }
}
