extension TaskManagerError {
    /// A kind of error; later versions may add further kinds.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String
        let phrase: String

        /// Creates your own code.
        public init(_ name: String) { self.init(name, name) }

        private init(_ name: String, _ phrase: String) {
            description = name
            self.phrase = phrase
        }

        /// The task was cancelled; ``ManagedTask/didCancel(because:)`` receives this code, an outcome never does.
        public static let cancelled = Code("cancelled", "was cancelled")
        /// A time limit expired.
        public static let timedOut = Code("timedOut", "timed out")
        /// An interceptor discarded the task.
        public static let discarded = Code("discarded", "was discarded")
        /// An interceptor didn't answer in time.
        public static let interceptorTimedOut = Code(
            "interceptorTimedOut", "got no answer of its interceptor")
        /// An interceptor held the task for too long, or held too many tasks.
        public static let holdExpired = Code("holdExpired", "was held beyond the limits")
        /// The reactor's run that the task waited for failed.
        public static let reactorFailed = Code("reactorFailed", "waited for a reactor that failed")
        /// The reactor's run that the task waited for exceeded its time limit.
        public static let reactorTimedOut = Code("reactorTimedOut", "waited for a reactor that timed out")
        /// The last copy of the completion was released without a call.
        public static let completionDropped = Code("completionDropped", "dropped its completion uncalled")
        /// The maximum number of waiting tasks was reached.
        public static let tooManyTasks = Code("tooManyTasks", "came while too many were waiting")
        /// The manager was released and accepts no tasks.
        public static let managerReleased = Code("managerReleased", "came when its manager was gone")
        /// The operation is not supported.
        public static let unsupported = Code("unsupported", "is not supported")
        /// The wait would block itself.
        public static let wouldBlock = Code("wouldBlock", "can't be waited for here")
        /// The task was still running when a bounded wait ended.
        public static let stillRunning = Code("stillRunning", "is still running")

        /// Returns whether the names are equal.
        public static func == (left: Code, right: Code) -> Bool { left.description == right.description }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }
}

extension TaskManagerError.Code {
    /// Returns whether `error` is a manager's error with this code.
    public static func ~= (code: TaskManagerError.Code, error: any Error) -> Bool {
        (error as? TaskManagerError)?.code == code
    }
}
