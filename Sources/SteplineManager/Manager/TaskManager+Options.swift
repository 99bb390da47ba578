public import SteplineSupport

extension TaskManager {
    /// The settings of all tasks of a manager.
    public struct Options: Sendable {
        /// The maximum number of live bodies; nil for no limit.
        ///
        /// A body that awaits another task of the manager lends its slot and takes the slot back without waiting. More
        /// bodies may then be live for a while. A stopped body frees its slot after `grace`, even if the body
        /// continues.
        public var maximumConcurrency: Int?
        /// The maximum number of tasks that haven't begun; nil for no limit.
        public var maximumWaiting: Int?
        /// The time limit for an answer of an interceptor or reactor.
        public var answerTimeout: Duration
        /// The time that a stopped body keeps its slot, and that a reactor's next run waits for the previous body.
        public var grace: Duration
        /// The duration after which a body, an answer, a run or a hold is reported as `stalled`, and again at each
        /// doubling; nil disables the reports.
        public var watchdog: Duration?
        /// The clock of all delays, time limits and dates.
        public var clock: any StepClock
        /// The preferred executor of bodies; nil for Swift's cooperative pool.
        public var executor: (any TaskExecutor)?
        /// The log of the events.
        public var log: StepLog

        /// Creates options.
        ///
        /// - Parameters:
        ///   - maximumConcurrency: The maximum number of live bodies; nil for no limit.
        ///   - maximumWaiting: The maximum number of tasks that haven't begun; nil for no limit.
        ///   - answerTimeout: The time limit for an answer of an interceptor or reactor.
        ///   - grace: The time that a stopped body keeps its slot.
        ///   - watchdog: The duration after which an activity is reported as stalled; nil disables the reports.
        ///   - clock: The clock of all delays, time limits and dates.
        ///   - executor: The preferred executor of bodies; nil for Swift's cooperative pool.
        ///   - log: The log of the events.
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

    /// The settings of one addition of a task.
    public struct AddOptions: Sendable {
        /// Whether the task starts at once; false: it waits for `start()`.
        public var startsImmediately: Bool
        /// The minimum delay before interception and begin.
        public var after: Duration
        /// The time limit of one attempt, which overrides the task's own limit.
        public var timeout: Duration?
        /// The time limit from the start to the end.
        public var deadline: Duration?
        /// The priority among ready tasks.
        public var priority: Priority
        /// The tags, which select tasks for cancellation.
        public var tags: Set<String>

        /// Creates options.
        ///
        /// - Parameters:
        ///   - startsImmediately: Whether the task starts at once; false: it waits for `start()`.
        ///   - after: The minimum delay before interception and begin.
        ///   - timeout: The time limit of one attempt, which overrides the task's own limit.
        ///   - deadline: The time limit from the start to the end.
        ///   - priority: The priority among ready tasks.
        ///   - tags: The tags, which select tasks for cancellation.
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
