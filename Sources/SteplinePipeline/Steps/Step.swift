public import Foundation
public import SteplineSupport

/// A step of a pipeline: an operation that declares the content entries it reads and writes.
///
/// Create your own steps from ``BlockStep`` (a closure), ``BasicStep`` or ``AsyncStep`` (override `process`), or from
/// ``StepOperation`` if the body ends with a callback.
public protocol Step: StepOperation {
    /// The entries that the step reads.
    var inputs: [AnyContentKey] { get }

    /// The entries that the step writes, its main output first.
    var outputs: [AnyContentKey] { get }

    /// Creates an unused step with the same configuration.
    ///
    /// - Throws: A ``PipelineError`` `.notCopyable`, unless overridden. All ready-made steps support copying.
    func makeCopy() throws -> any Step
}

extension Step {
    /// Sets the step's name in errors, events and explanations.
    @discardableResult
    public func named(_ name: String) -> Self {
        options.name = name
        return self
    }

    /// Sets the queue that runs the step; nil for none.
    @discardableResult
    public func on(_ queue: OperationQueue?) -> Self {
        options.queue = queue
        return self
    }

    /// Sets the step's retry policy, which replaces the pipeline's policy.
    @discardableResult
    public func retrying(_ policy: RetryPolicy) -> Self {
        options.retry = policy
        return self
    }

    /// Sets the time limit of each attempt; nil for none.
    ///
    /// The next attempt waits for the end of the stopped body. If that body outlasts ``PipelineOptions/grace``, the
    /// step fails, also if its retry policy allows another attempt.
    @discardableResult
    public func timeout(_ limit: Duration?) -> Self {
        options.timeout = limit
        return self
    }

    /// Sets the step's share of the pipeline's progress; the default is 1.
    @discardableResult
    public func weight(_ weight: Double) -> Self {
        options.weight = weight
        return self
    }
}
