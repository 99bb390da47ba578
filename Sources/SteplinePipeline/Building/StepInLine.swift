/// What may stand in a line of steps: it takes one thing, and makes one.
///
/// Steps, bodies and lines made elsewhere are. A step of one's own becomes one as a ``TypedStep`` or a ``StepBody``.
public protocol StepInLine<Input, Output> {
    /// The type of what it takes; `Void` for nothing, `Content` for the whole bag.
    associatedtype Input: Sendable
    /// The type of what it makes; `Void` for nothing, `Content` for a new bag.
    associatedtype Output: Sendable

    /// It as a line.
    var line: StepChain<Input, Output> { get }
}

extension TypedStep {
    /// The step as a line of one.
    public var line: StepChain<Input, Output> { StepChain(steps: [self], outputKey: outputKey) }
}

extension StepBody {
    /// The body's step as a line of one.
    public var line: StepChain<Input, Output> { step().line }
}

extension StepChain: StepInLine {
    /// The line itself.
    public var line: StepChain { self }
}

extension ReadingStep: StepInLine {
    /// What it takes from the line: nothing.
    public typealias Input = Void

    /// The step as a line of one.
    public var line: StepChain<Void, Output> { StepChain(steps: [makeStep()], outputKey: outputKey) }
}

extension WritingStep: StepInLine {
    /// What goes on behind it: what it takes.
    public typealias Output = Input

    /// The step as a line of one, which goes on with what it had.
    public var line: StepChain<Input, Input> {
        StepChain(steps: [makeStep()], outputKey: nil, firstKey: inputKey)
    }
}

extension KeyedSteps: StepInLine {
    /// What steps beside a line take from it, and make for it.
    public enum Beside: Sendable {}

    /// What they take from the line.
    public typealias Input = Beside
    /// What they make for the line, which goes on with what it had.
    public typealias Output = Beside

    /// The steps as a line, which has what it is joined to.
    public var line: StepChain<Beside, Beside> { StepChain(steps: steps, outputKey: nil) }
}
