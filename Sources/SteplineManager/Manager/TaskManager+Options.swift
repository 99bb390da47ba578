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
        /// How long a stopped body keeps its slot.
        public var abandonAfter: Duration
        /// How long a body, interceptor, run or hold may go on before the event `stalled` tells, again at each doubling;
        /// nil: never.
        public var watchdogAfter: Duration?
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
            abandonAfter: Duration = .seconds(10), watchdogAfter: Duration? = .seconds(60),
            clock: any StepClock = .system,
            executor: (any TaskExecutor)? = nil, log: StepLog = .shared
        ) {
            self.maximumConcurrency = maximumConcurrency
            self.maximumWaiting = maximumWaiting
            self.answerTimeout = answerTimeout
            self.abandonAfter = abandonAfter
            self.watchdogAfter = watchdogAfter
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

    /// Which of the tasks that could begin goes first.
    public enum Priority: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// When nothing else waits.
        case background
        /// Behind most.
        case low
        /// The usual one.
        case normal
        /// Before most.
        case high
        /// Before all.
        case critical

        /// Less urgent first.
        public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }

        /// Its lane among those that are ready; 0 is the first.
        var rank: Int { Priority.critical.rawValue - rawValue }
    }
}
