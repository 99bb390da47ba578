public import SteplineSupport

extension TaskManager {
    /// What holds for all tasks of a manager.
    public struct Options: Sendable {
        /// How many bodies may be live at once; nil: any number.
        public var maximumConcurrency: Int?
        /// How many tasks may wait for their begin; nil: any number.
        public var maximumWaiting: Int?
        /// How long an interceptor or reactor may take to answer.
        public var answerTimeout: Duration
        /// How long a stopped body keeps its slot, and the next run of a reactor waits for the body of the last.
        public var grace: Duration
        /// How long a body, interceptor, run or hold may go on before the event `stalled` tells, again at each doubling;
        /// nil: never.
        public var watchdog: Duration?
        /// The source of all delays, time-outs and dates.
        public var clock: any StepClock
        /// Where bodies prefer to run; nil: Swift's own pool.
        public var executor: (any TaskExecutor)?
        /// Where its events are logged.
        public var log: StepLog

        /// Makes options.
        public init(
            maximumConcurrency: Int? = nil, maximumWaiting: Int? = nil,
            answerTimeout: Duration = .seconds(30),
            grace: Duration = .seconds(5), watchdog: Duration? = .seconds(60),
            clock: any StepClock = .system,
            executor: (any TaskExecutor)? = nil, log: StepLog = .shared
        ) {
            self.maximumConcurrency = maximumConcurrency
            self.maximumWaiting = maximumWaiting
            self.answerTimeout = answerTimeout
            self.grace = grace
            self.watchdog = watchdog
            self.clock = clock
            self.executor = executor
            self.log = log
        }
    }

    /// What holds for one adding of a task.
    public struct AddOptions: Sendable {
        /// Whether it waits for `start()`.
        public var startsImmediately: Bool
        /// How long interception and begin wait at least.
        public var after: Duration
        /// How long one attempt may take, before the task's own limit.
        public var timeout: Duration?
        /// How long everything may take, from adding or starting to the end.
        public var deadline: Duration?
        /// Its priority among those that could begin.
        public var priority: Priority
        /// Words by which it can be found and cancelled.
        public var tags: Set<String>

        /// Makes options.
        public init(
            startsImmediately: Bool = true, after: Duration = .zero, timeout: Duration? = nil,
            deadline: Duration? = nil, priority: Priority = .normal, tags: Set<String> = []
        ) {
            self.startsImmediately = startsImmediately
            self.after = after
            self.timeout = timeout
            self.deadline = deadline
            self.priority = priority
            self.tags = tags
        }
    }
}
