import SteplineEngine
public import SteplineSupport

/// The options of a pipeline's run.
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
        var log: StepLog?
    }

    // Pipelines with equal options share the storage, so each pipeline needs one word.
    private var storage = Storage.defaults

    private subscript<Value>(value path: WritableKeyPath<Values, Value>) -> Value {
        get { storage.values[keyPath: path] }
        set {
            // Never change the object: pipelines with equal options share it, and other threads read it.
            var values = storage.values
            values[keyPath: path] = newValue
            storage = Storage(values)
        }
    }

    /// The retry policy for steps without their own policy.
    public var retry: RetryPolicy {
        get { storage.values.retry }
        set { self[value: \.retry] = newValue }
    }

    /// The time limit of the whole run, including retries and waits; nil for no limit.
    public var deadline: Duration? {
        get { storage.values.deadline }
        set { self[value: \.deadline] = newValue }
    }

    /// The clock for all waits and dates.
    public var clock: any StepClock {
        get { storage.values.clock.clock }
        // Converted once: the test for the system clock is a cast, and each transaction reads the clock.
        set { self[value: \.clock] = EngineClock(newValue) }
    }

    /// The clock in the form that the engine reads.
    var engineClock: EngineClock { storage.values.clock }

    /// The time after which a step that hasn't ended is reported by a `stalled` event; 0 or less disables the report.
    public var watchdog: Duration {
        get { storage.values.watchdog }
        set { self[value: \.watchdog] = newValue }
    }

    /// The time that a body gets to end after a time-out or a cancellation, before the step fails or the pipeline ends.
    public var grace: Duration {
        get { storage.values.grace }
        set { self[value: \.grace] = newValue }
    }

    /// The log of the events; nil for none.
    ///
    /// A failed pipeline is logged as an error, a retry or stall as a warning, and steps as verbose details.
    public var log: StepLog? {
        get { storage.values.log }
        set { self[value: \.log] = newValue }
    }

    /// Creates options without retries or a deadline, on the system clock.
    public init() {}

    /// Creates options that differ from the defaults.
    ///
    /// - Parameters:
    ///   - retry: The retry policy for steps without their own policy.
    ///   - deadline: The time limit of the whole run; nil for no limit.
    ///   - grace: The time that a body gets to end after a time-out or a cancellation.
    ///   - watchdog: The time after which a step is reported as stalled.
    ///   - clock: The clock for all waits and dates.
    ///   - log: The log of the events; nil for none.
    public init(
        retry: RetryPolicy = .none, deadline: Duration? = nil, grace: Duration = .seconds(5),
        watchdog: Duration = .seconds(60), clock: any StepClock = .system, log: StepLog? = nil
    ) {
        storage = Storage(
            Values(
                retry: retry, deadline: deadline, clock: EngineClock(clock), watchdog: watchdog, grace: grace,
                log: log
            )
        )
    }
}
