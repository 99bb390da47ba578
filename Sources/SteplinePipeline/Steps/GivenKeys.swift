/// The keys that replace a step's own keys.
final class GivenKeys<Input: Sendable, Output: Sendable>: Sendable {
    let input: ContentKey<Input>?
    let output: ContentKey<Output>?

    init(input: ContentKey<Input>?, output: ContentKey<Output>?) {
        self.input = input
        self.output = output
    }
}

/// A step whose keys can be replaced.
protocol KeyedByOthers: TypedStep {
    /// The replacing keys; nil for the step's own keys. Set them before adding the step to a pipeline.
    var given: GivenKeys<Input, Output>? { get set }
}
