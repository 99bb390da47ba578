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
        var timeout: Duration?
        var clock: any StepClock = .system
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
    public var timeout: Duration? {
        get { storage.values.timeout }
        set { self[value: \.timeout] = newValue }
    }

    /// The clock that all waiting and all dates go by.
    public var clock: any StepClock {
        get { storage.values.clock }
        set { self[value: \.clock] = newValue }
    }

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

    /// Makes options without retries and time-outs, on the system's clock.
    public init() {}

    /// Makes options that differ from the defaults.
    public init(
        retry: RetryPolicy = .none, timeout: Duration? = nil, clock: any StepClock = .system,
        watchdog: Duration = .seconds(60), grace: Duration = .seconds(5)
    ) {
        storage = Storage(
            Values(retry: retry, timeout: timeout, clock: clock, watchdog: watchdog, grace: grace)
        )
    }
}
