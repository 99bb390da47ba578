import SteplineSupport

/// The policies of a task; nil values use the defaults.
struct FlowPolicies: Sendable {
    var retry: RetryPolicy?
    /// The time limit of an attempt.
    var timeout: Duration?
    /// The time limit of all attempts and waits.
    var deadline: Duration?
    var priority: Priority?
    /// The pools that the task uses, with the number of slots.
    var pools: [(pool: FlowReference, weight: Int)] = []

    /// Returns the policies with missing values taken from the defaults.
    func filled(from defaults: FlowPolicies) -> FlowPolicies {
        FlowPolicies(
            retry: retry ?? defaults.retry, timeout: timeout ?? defaults.timeout,
            deadline: deadline ?? defaults.deadline, priority: priority ?? defaults.priority,
            pools: pools.isEmpty ? defaults.pools : pools)
    }
}
