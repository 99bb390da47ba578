/// A step with one input and one output, whose types the compiler can check against its neighbours'.
///
/// `inputs` and `outputs` must name the two keys, too, since the check before a run goes by these.
public protocol TypedStep<Input, Output>: Step, StepInLine {
    /// The type of what it reads; `Void` for nothing, `Content` for the whole bag.
    override associatedtype Input
    /// The type of what it makes; `Void` for nothing, `Content` for a new bag.
    override associatedtype Output

    /// The entry that is read.
    var inputKey: ContentKey<Input> { get }
    /// The entry that is written.
    var outputKey: ContentKey<Output> { get }
}

extension TypedStep {
    /// The step as a line of one.
    public var line: StepChain<Input, Output> { StepChain(steps: [self], outputKey: outputKey) }
}
