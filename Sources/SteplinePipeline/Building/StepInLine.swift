/// A part of a line of steps: it takes one input and has one output.
///
/// Steps, step bodies and complete lines conform. Your own steps conform as ``TypedStep`` or ``StepBody``.
public protocol StepInLine<Input, Output> {
    /// The input type; `Void` for no input, `Content` for the whole content.
    associatedtype Input: Sendable
    /// The output type; `Void` for no output, `Content` for new content.
    associatedtype Output: Sendable

    /// A line with this part only.
    var line: StepChain<Input, Output> { get }
}
