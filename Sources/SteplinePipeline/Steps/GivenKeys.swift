/// The keys that a step was given in place of its own.
final class GivenKeys<Input: Sendable, Output: Sendable>: Sendable {
    let input: ContentKey<Input>?
    let output: ContentKey<Output>?

    init(input: ContentKey<Input>?, output: ContentKey<Output>?) {
        self.input = input
        self.output = output
    }
}

/// A step that can be given keys.
protocol KeyedByOthers: TypedStep {
    /// The keys it was given; nil for its own. To be set before the step is added to a pipeline.
    var given: GivenKeys<Input, Output>? { get set }
}
