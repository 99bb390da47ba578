extension TaskManagerError {
    /// A kind of end; more may be added.
    public struct Code: Sendable, Hashable {
        let phrase: String

        /// Somebody cancelled it.
        public static let cancelled = Code(phrase: "was cancelled")
        /// A time limit expired.
        public static let timedOut = Code(phrase: "timed out")
        /// An interceptor discarded it.
        public static let discarded = Code(phrase: "was discarded")
        /// An interceptor gave no answer in time.
        public static let interceptorTimedOut = Code(phrase: "got no answer of its interceptor")
        /// An interceptor held it for too long, or too many.
        public static let holdExpired = Code(phrase: "was held beyond the limits")
        /// The run of a reactor that it waited for failed.
        public static let reactorFailed = Code(phrase: "waited for a reactor that failed")
        /// The run of a reactor that it waited for took too long.
        public static let reactorTimedOut = Code(phrase: "waited for a reactor that timed out")
        /// The last copy of its completion was dropped uncalled.
        public static let completionDropped = Code(phrase: "dropped its completion uncalled")
        /// As many tasks as allowed were waiting.
        public static let tooManyTasks = Code(phrase: "came while too many were waiting")
        /// The manager was shut down.
        public static let shutDown = Code(phrase: "was ended by the manager's shutdown")
        /// The manager is gone, and nobody could have moved the task any more.
        public static let managerReleased = Code(phrase: "was left by its manager")
        /// It can't be done in this way.
        public static let unsupported = Code(phrase: "is not supported")
        /// To wait here would be to wait for oneself.
        public static let wouldBlock = Code(phrase: "can't be waited for here")
        /// It was still running when a bounded wait gave up.
        public static let stillRunning = Code(phrase: "is still running")
    }

}

extension TaskManagerError.Code {
    /// Whether `error` is a manager's error of this code.
    public static func ~= (code: TaskManagerError.Code, error: any Error) -> Bool {
        (error as? TaskManagerError)?.code == code
    }
}
