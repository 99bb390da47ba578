/// A step with one input and one output, whose types the compiler matches with the neighboring steps.
///
/// `inputs` and `outputs` must contain the two keys as well, because the check before a run uses them.
public protocol TypedStep<Input, Output>: Step, StepInLine {
    /// The input type; `Void` for no input, `Content` for the whole content.
    override associatedtype Input
    /// The output type; `Void` for no output, `Content` for new content.
    override associatedtype Output

    /// The key of the input.
    var inputKey: ContentKey<Input> { get }
    /// The key of the output.
    var outputKey: ContentKey<Output> { get }
}

extension TypedStep {
    /// A line with this step only.
    public var line: StepChain<Input, Output> { StepChain(steps: [self], outputKey: outputKey) }
}
