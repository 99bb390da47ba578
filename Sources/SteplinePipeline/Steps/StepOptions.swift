public import Foundation
public import SteplineSupport

/// The options that control how a step runs.
///
/// Usually set by chained calls: `step.named("feed").on(queue).retrying(.exponential()).timeout(.seconds(20))`.
public struct StepOptions: Sendable {
    /// The name in errors, events and explanations; nil for the class name.
    public var name: String?

    /// The queue that runs the body; nil for the thread on which the previous step ended.
    public var queue: OperationQueue?

    /// The retry policy; nil for the pipeline's policy.
    public var retry: RetryPolicy?

    /// The time limit of each attempt; nil for none.
    public var timeout: Duration?

    /// The step's share of the pipeline's progress, relative to other steps.
    public var weight: Double = 1

    /// Creates options that leave all decisions to the pipeline.
    public init() {}
}

/// Options that differ from the defaults, in an object: a step without options stays small.
final class StepOptionsBox: Sendable {
    let options: StepOptions
    init(_ options: StepOptions) { self.options = options }
}
