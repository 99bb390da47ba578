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
