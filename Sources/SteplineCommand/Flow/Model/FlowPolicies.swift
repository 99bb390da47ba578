import SteplineSupport

/// How a task is run; what is nil is left to the defaults.
struct FlowPolicies: Sendable {
    var retry: RetryPolicy?
    /// How long an attempt may take.
    var timeout: Duration?
    /// How long all attempts and waits may take.
    var deadline: Duration?
    var priority: Priority?
    /// What it takes places of while it runs, and how many.
    var pools: [(pool: FlowReference, weight: Int)] = []

    /// Whether nothing is said.
    var isEmpty: Bool {
        retry == nil && timeout == nil && deadline == nil && priority == nil && pools.isEmpty
    }

    /// The same, with what isn't said taken from the defaults.
    func filled(from defaults: FlowPolicies) -> FlowPolicies {
        FlowPolicies(
            retry: retry ?? defaults.retry, timeout: timeout ?? defaults.timeout,
            deadline: deadline ?? defaults.deadline, priority: priority ?? defaults.priority,
            pools: pools.isEmpty ? defaults.pools : pools)
    }
}

/// A value in an object of its own: for what only few have, and is large.
final class Aside<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
