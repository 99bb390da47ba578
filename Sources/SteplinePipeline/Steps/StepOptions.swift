package import Foundation
package import SteplineSupport

/// The options that control how a step runs.
///
/// Usually set in passing: `step.named("feed").on(queue).retrying(.exponential()).timeout(.seconds(20))`.
package struct StepOptions: Sendable {
    /// The name in errors, events and explanations; nil for the name of the step's class.
    package var name: String?

    /// The queue to run on; nil to run where the step before has ended.
    package var queue: OperationQueue?

    /// How often to try again; nil for the pipeline's policy.
    package var retry: RetryPolicy?

    /// How long each attempt may take; nil for as long as it likes.
    package var timeout: Duration?

    /// The step's share of the pipeline's progress, relative to that of the others.
    package var weight: Double = 1

    /// Makes options that leave everything to the pipeline.
    package init() {}
}

/// Options that differ from the defaults, in an object: a step without options stays small.
final class StepOptionsBox: Sendable {
    let options: StepOptions
    init(_ options: StepOptions) { self.options = options }
}
