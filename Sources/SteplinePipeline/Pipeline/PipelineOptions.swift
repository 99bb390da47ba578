import SteplineEngine
public import SteplineSupport

/// How a pipeline runs its steps.
public struct PipelineOptions: Sendable {
    private final class Storage: Sendable {
        static let defaults = Storage(Values())
        let values: Values
        init(_ values: Values) { self.values = values }
    }

    private struct Values {
        var retry = RetryPolicy.none
        var deadline: Duration?
        var clock = EngineClock(.system)
        var watchdog = Duration.seconds(60)
        var grace = Duration.seconds(5)
    }

    // Shared by all pipelines that have the same options, so that each carries one word of them.
    private var storage = Storage.defaults

    private subscript<Value>(value path: WritableKeyPath<Values, Value>) -> Value {
        get { storage.values[keyPath: path] }
        set {
            var values = storage.values
            values[keyPath: path] = newValue
            storage = Storage(values)
        }
    }

    /// How often a failed step is tried again, for steps without a policy of their own.
    public var retry: RetryPolicy {
        get { storage.values.retry }
        set { self[value: \.retry] = newValue }
    }

    /// How long the whole run may take, retries and waits included; nil for as long as it likes.
    public var deadline: Duration? {
        get { storage.values.deadline }
        set { self[value: \.deadline] = newValue }
    }

    /// The clock that all waiting and all dates go by.
    public var clock: any StepClock {
        get { storage.values.clock.clock }
        set { self[value: \.clock] = EngineClock(newValue) }
    }

    /// The clock, ready to be read often.
    var engineClock: EngineClock { storage.values.clock }

    /// After how long a step that hasn't ended is told about by a `stalled` event; never, unless above zero.
    public var watchdog: Duration {
        get { storage.values.watchdog }
        set { self[value: \.watchdog] = newValue }
    }

    /// How long the attempt after a time-out waits for the old body to end, before the step fails.
    public var grace: Duration {
        get { storage.values.grace }
        set { self[value: \.grace] = newValue }
    }

    /// Makes options without retries and deadline, on the system's clock.
    public init() {}

    /// Makes options that differ from the defaults.
    public init(
        retry: RetryPolicy = .none, deadline: Duration? = nil, grace: Duration = .seconds(5),
        watchdog: Duration = .seconds(60), clock: any StepClock = .system
    ) {
        storage = Storage(
            Values(
                retry: retry, deadline: deadline, clock: EngineClock(clock), watchdog: watchdog, grace: grace
            )
        )
    }
}
