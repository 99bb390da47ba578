import SteplineEngine
public import SteplineSupport

public import struct Foundation.URL

/// How a task is run: how often, for how long, how soon.
public struct TaskOptions: Sendable {
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
        var version = 1
        var isRecomputed = false
        var produces: [URL] = []
        var cacheLifetime: Duration?
        var element: (@Sendable () -> any Sendable)?
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

    /// Which version of the work this is: a durable run that is resumed with another runs the task, and all downstream, again.
    public var version: Int {
        get { storage.values.version }
        set { self[value: \.version] = newValue }
    }

    /// Whether a durable run keeps that the task has finished, but not its result, which may then be of any type.
    ///
    /// A run that goes on makes the result again if a task that is still to be run needs it, and not otherwise.
    public var isRecomputed: Bool {
        get { storage.values.isRecomputed }
        set { self[value: \.isRecomputed] = newValue }
    }

    /// The files that the task makes: a durable run that goes on runs it again if one is gone or differs.
    ///
    /// They are there, whole, when an attempt ends; otherwise it has failed. Each is read once for its SHA-256.
    public var produces: [URL] {
        get { storage.values.produces }
        set { self[value: \.produces] = newValue }
    }

    /// For how long other durable runs of the workflow may take the result over instead of making it; nil for never.
    ///
    /// They may if the step has the same name, version and type, and was made of the same: the results of its
    /// prerequisites, the element of its map, and what the program was started with. What else a body reads, nobody
    /// sees; when that changes, give the task another ``version``.
    public var cacheLifetime: Duration? {
        get { storage.values.cacheLifetime }
        set { self[value: \.cacheLifetime] = newValue }
    }

    /// The element of a list that the task is made for, if other runs may take over what it makes of it.
    var element: (@Sendable () -> any Sendable)? { storage.values.element }

    /// The same for a task that is made for an element of a list.
    func made(for element: @escaping @Sendable () -> any Sendable) -> TaskOptions {
        var own = self
        if cacheLifetime != nil { own[value: \.element] = element }
        return own
    }

    /// Options of a task whose result other durable runs may take over for so long; see ``cacheLifetime``.
    public static func cached(for lifetime: Duration) -> TaskOptions {
        TaskOptions(cacheLifetime: lifetime)
    }

    /// Makes options for one attempt without bounds.
    public init() {}

    /// Makes options that differ from the defaults.
    public init(
        retry: RetryPolicy = .none, timeout: Duration? = nil, deadline: Duration? = nil,
        priority: Priority = .normal, pools: [ConcurrencyPool: Int] = [:], grace: Duration? = nil,
        watchdog: Duration? = nil, version: Int = 1, isRecomputed: Bool = false, produces: [URL] = [],
        cacheLifetime: Duration? = nil
    ) {
        storage = Storage(
            Values(
                retry: retry, timeout: timeout, deadline: deadline, priority: priority, pools: pools,
                grace: grace, watchdog: watchdog, version: version, isRecomputed: isRecomputed,
                produces: produces, cacheLifetime: cacheLifetime
            )
        )
    }

    var isDefault: Bool { storage === Storage.defaults }

    /// The pools, as the engine knows them.
    var enginePools: [Pool: Int] {
        Dictionary(uniqueKeysWithValues: storage.values.pools.map { ($0.key.pool, $0.value) })
    }

    /// What is wrong with the values themselves.
    var fault: String? {
        if retry.attempts < 1 { return "retry.attempts is \(retry.attempts)" }
        if let timeout, timeout < .zero { return "timeout is \(timeout)" }
        if let deadline, deadline < .zero { return "deadline is \(deadline)" }
        if let grace, grace < .zero { return "grace is \(grace)" }
        if let watchdog, watchdog <= .zero { return "watchdog is \(watchdog)" }
        if let cacheLifetime, cacheLifetime < .zero { return "cacheLifetime is \(cacheLifetime)" }
        return pools.first { $0.value < 1 }.map { "the weight for pool \($0.key.name) is \($0.value)" }
    }
}
