/// A line of steps whose first input and last output the compiler knows: what a builder makes.
public struct StepChain<Input: Sendable, Output: Sendable>: Sendable {
    let steps: [any Step]
    /// Where the last step of the typed line puts what it makes; nil if its steps only pass on what came before.
    let outputKey: ContentKey<Output>?
    /// Where what it passes on is if nothing comes before.
    var firstKey: ContentKey<Output>?

    /// The same with the steps of another line behind.
    ///
    /// Steps that were left out make nothing: the value stays where the line before has put it.
    func joined<Next, Last>(to next: StepChain<Next, Last>) -> StepChain<Input, Last> {
        StepChain<Input, Last>(
            steps: steps + next.steps, outputKey: next.outputKey ?? Self.passed(on: outputKey),
            firstKey: Self.passed(on: firstKey) ?? next.firstKey)
    }

    /// The key of what goes on as it is, or as an Optional of that.
    private static func passed<Last>(on key: ContentKey<Output>?) -> ContentKey<Last>? {
        guard let key, Last.self == Output.self || Last.self == Output?.self else { return nil }
        return ContentKey(key.name, slot: key.slot)
    }
}

extension StepChain: StepInLine {
    /// The line itself.
    public var line: StepChain { self }
}
