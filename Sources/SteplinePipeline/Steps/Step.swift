public import Foundation
public import SteplineSupport

/// One step of a pipeline: an operation that declares what it reads from the bag and what it writes.
///
/// Steps of one's own are made from ``BlockStep`` (a closure), ``BasicStep`` and ``AsyncStep`` (override
/// `process`), or, where the end comes by a callback, from ``StepOperation``.
public protocol Step: StepOperation {
    /// The entries the step reads.
    var inputs: [AnyContentKey] { get }

    /// The entries the step writes, the one it is there for first.
    var outputs: [AnyContentKey] { get }

    /// Makes an unused step with the same configuration.
    ///
    /// Throws a ``PipelineError`` `.notCopyable` unless overridden; all ready-made steps have it.
    func makeCopy() throws -> any Step
}

extension Step {
    /// Gives the step a name of its own for errors, events and explanations.
    @discardableResult
    public func named(_ name: String) -> Self {
        options.name = name
        return self
    }

    /// Runs the step on a queue.
    @discardableResult
    public func on(_ queue: OperationQueue?) -> Self {
        options.queue = queue
        return self
    }

    /// Tries again after a failure, in place of the pipeline's policy.
    @discardableResult
    public func retrying(_ policy: RetryPolicy) -> Self {
        options.retry = policy
        return self
    }

    /// Lets each attempt take so long and no longer.
    @discardableResult
    public func timeout(_ limit: Duration?) -> Self {
        options.timeout = limit
        return self
    }

    /// Sets the step's share of the pipeline's progress; the others have 1 each.
    @discardableResult
    public func weight(_ weight: Double) -> Self {
        options.weight = weight
        return self
    }
}
