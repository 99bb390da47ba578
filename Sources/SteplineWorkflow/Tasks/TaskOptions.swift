public import SteplineSupport

/// How a task is run: how often, for how long, how soon.
public struct TaskOptions: Sendable {
    /// Which of the tasks that could begin goes first.
    public enum Priority: UInt8, Sendable, Hashable, Comparable, CaseIterable {
        /// After everything else.
        case background
        /// After the usual.
        case low
        /// The usual.
        case normal
        /// Before the usual.
        case high
        /// Before everything else.
        case critical

        /// Whether the left one goes later.
        public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
    }

    private final class Storage: Sendable {
        static let defaults = Storage(Values())
        let values: Values
        init(_ values: Values) { self.values = values }
    }

    private struct Values {
        var retry = RetryPolicy.none
        var timeout: Duration?
        var deadline: Duration?
        var priority = Priority.normal
        var pools: [ConcurrencyPool: Int] = [:]
        var grace: Duration?
        var watchdog: Duration?
    }

    // Shared by all tasks that have the same options, so that each carries one word of them.
    private var storage = Storage.defaults

    private subscript<Value>(value path: WritableKeyPath<Values, Value>) -> Value {
        get { storage.values[keyPath: path] }
        set {
            var values = storage.values
            values[keyPath: path] = newValue
            storage = Storage(values)
        }
    }

    /// How often a failed attempt is followed by another, counted from the last start, reset or retry by hand.
    public var retry: RetryPolicy {
        get { storage.values.retry }
        set { self[value: \.retry] = newValue }
    }

    /// How long one attempt may take, from the begin of its body; nil for as long as it likes.
    public var timeout: Duration? {
        get { storage.values.timeout }
        set { self[value: \.timeout] = newValue }
    }

    /// How long all attempts and waits may take, from the first begin; nil for as long as they like.
    public var deadline: Duration? {
        get { storage.values.deadline }
        set { self[value: \.deadline] = newValue }
    }

    /// Which of the tasks that could begin goes first.
    public var priority: Priority {
        get { storage.values.priority }
        set { self[value: \.priority] = newValue }
    }

    /// The pools that a body takes places of, and how many of each.
    public var pools: [ConcurrencyPool: Int] {
        get { storage.values.pools }
        set { self[value: \.pools] = newValue }
    }

    /// How long a stopped body is waited for; nil for what the workflow says.
    public var grace: Duration? {
        get { storage.values.grace }
        set { self[value: \.grace] = newValue }
    }

    /// After how long a body that has not ended is told about; nil for what the workflow says.
    public var watchdog: Duration? {
        get { storage.values.watchdog }
        set { self[value: \.watchdog] = newValue }
    }

    /// Makes options for one attempt without bounds.
    public init() {}

    /// Makes options that differ from the defaults.
    public init(
        retry: RetryPolicy = .none, timeout: Duration? = nil, deadline: Duration? = nil,
        priority: Priority = .normal, pools: [ConcurrencyPool: Int] = [:], grace: Duration? = nil,
        watchdog: Duration? = nil
    ) {
        storage = Storage(
            Values(
                retry: retry, timeout: timeout, deadline: deadline, priority: priority, pools: pools,
                grace: grace, watchdog: watchdog
            )
        )
    }

    var isDefault: Bool { storage === Storage.defaults }

    /// What is wrong with the values themselves.
    var fault: String? {
        if retry.attempts < 1 { return "retry.attempts is \(retry.attempts)" }
        if let timeout, timeout < .zero { return "timeout is \(timeout)" }
        if let deadline, deadline < .zero { return "deadline is \(deadline)" }
        if let grace, grace < .zero { return "grace is \(grace)" }
        if let watchdog, watchdog <= .zero { return "watchdog is \(watchdog)" }
        return pools.first { $0.value < 1 }.map { "the weight for pool \($0.key.name) is \($0.value)" }
    }
}
