import SteplineEngine
public import SteplineSupport

public import struct Foundation.URL

/// The options of a task: attempts, time limits, priority.
public struct TaskOptions: Sendable {
    private final class Storage: Sendable {
        static let defaults = Storage(Values())
        let values: Values
        /// The pools in the engine's form.
        let places: PoolPlaces

        init(_ values: Values) {
            self.values = values
            places = PoolPlaces(
                Dictionary(uniqueKeysWithValues: values.pools.map { ($0.key.pool, $0.value) }))
        }
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

    // Tasks with the same options share the storage, so each task needs one word.
    private var storage = Storage.defaults

    private subscript<Value>(value path: WritableKeyPath<Values, Value>) -> Value {
        get { storage.values[keyPath: path] }
        set {
            var values = storage.values
            values[keyPath: path] = newValue
            storage = Storage(values)
        }
    }

    /// The retry policy; failures are counted from the last start, reset or retry by hand.
    public var retry: RetryPolicy {
        get { storage.values.retry }
        set { self[value: \.retry] = newValue }
    }

    /// The time limit of one attempt, from the begin of its body; nil for no limit.
    public var timeout: Duration? {
        get { storage.values.timeout }
        set { self[value: \.timeout] = newValue }
    }

    /// The time limit of all attempts and waits, from the first begin; nil for no limit.
    public var deadline: Duration? {
        get { storage.values.deadline }
        set { self[value: \.deadline] = newValue }
    }

    /// The priority among ready tasks.
    public var priority: Priority {
        get { storage.values.priority }
        set { self[value: \.priority] = newValue }
    }

    /// The pools and the number of slots that a body takes in each.
    public var pools: [ConcurrencyPool: Int] {
        get { storage.values.pools }
        set { self[value: \.pools] = newValue }
    }

    /// The time that a stopped body gets to end; nil for the workflow's setting.
    public var grace: Duration? {
        get { storage.values.grace }
        set { self[value: \.grace] = newValue }
    }

    /// The time after which a running body is reported as stalled; nil for the workflow's setting.
    public var watchdog: Duration? {
        get { storage.values.watchdog }
        set { self[value: \.watchdog] = newValue }
    }

    /// The version of the work; a durable run resumed with another version runs the task and all downstream tasks
    /// again.
    public var version: Int {
        get { storage.values.version }
        set { self[value: \.version] = newValue }
    }

    /// Whether a durable run stores that the task has finished, but not its result, which may then have any type.
    ///
    /// A resumed run computes the result again only if a task that must still run needs it.
    public var isRecomputed: Bool {
        get { storage.values.isRecomputed }
        set { self[value: \.isRecomputed] = newValue }
    }

    /// The files that the task writes; a resumed durable run repeats the task if a file is missing or different.
    ///
    /// The files must be complete when an attempt ends; otherwise the attempt fails. Each file is read once for its
    /// SHA-256.
    public var produces: [URL] {
        get { storage.values.produces }
        set { self[value: \.produces] = newValue }
    }

    /// The time during which other durable runs of the workflow may reuse the result; nil for never.
    ///
    /// A reuse requires the same name, version and type, and the same inputs: the prerequisites' results, the element
    /// of the map, and the program's arguments. Other inputs of the body aren't visible; give the task another
    /// ``version`` when they change.
    public var cacheLifetime: Duration? {
        get { storage.values.cacheLifetime }
        set { self[value: \.cacheLifetime] = newValue }
    }

    /// The list element of the task, if other runs may reuse its result.
    var element: (@Sendable () -> any Sendable)? { storage.values.element }

    /// Returns the options for the task of a list element.
    func made(for element: @escaping @Sendable () -> any Sendable) -> TaskOptions {
        var own = self
        // Without reuse the element isn't part of a key, and isn't retained here.
        if cacheLifetime != nil { own[value: \.element] = element }
        return own
    }

    /// Returns options with a reusable result; see ``cacheLifetime``.
    public static func cached(for lifetime: Duration) -> TaskOptions {
        TaskOptions(cacheLifetime: lifetime)
    }

    /// Creates options for a single attempt without limits.
    public init() {}

    /// Creates options that differ from the defaults.
    ///
    /// - Parameters:
    ///   - retry: The retry policy.
    ///   - timeout: The time limit of one attempt; nil for no limit.
    ///   - deadline: The time limit of all attempts and waits; nil for no limit.
    ///   - priority: The priority among ready tasks.
    ///   - pools: The pools and the number of slots that a body takes in each.
    ///   - grace: The time that a stopped body gets to end; nil for the workflow's setting.
    ///   - watchdog: The time after which a body is reported as stalled; nil for the workflow's setting.
    ///   - version: The version of the work.
    ///   - isRecomputed: Whether a durable run doesn't store the result.
    ///   - produces: The files that the task writes.
    ///   - cacheLifetime: The time during which other runs may reuse the result; nil for never.
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

    /// Whether both are copies of the same options.
    func isShared(with other: TaskOptions) -> Bool { storage === other.storage }

    /// The pools in the engine's form.
    var places: PoolPlaces { storage.places }

    /// The first invalid value as text; nil if all are valid.
    var fault: String? {
        if retry.attempts < 1 { return "retry.attempts is \(retry.attempts)" }
        if let timeout, timeout < .zero { return "timeout is \(timeout)" }
        if let deadline, deadline < .zero { return "deadline is \(deadline)" }
        if let grace, grace < .zero { return "grace is \(grace)" }
        if let watchdog, watchdog <= .zero { return "watchdog is \(watchdog)" }
        if let cacheLifetime, cacheLifetime < .zero { return "cacheLifetime is \(cacheLifetime)" }
        // A weight of zero would bypass the pool.
        return pools.first { $0.value < 1 }.map { "the weight for pool \($0.key.name) is \($0.value)" }
    }
}
