/// A line of steps with statically known input and output types, as builders create it.
public struct StepChain<Input: Sendable, Output: Sendable>: Sendable {
    let steps: [any Step]
    /// The key of the last output of the typed line; nil if the steps only pass the previous value on.
    let outputKey: ContentKey<Output>?
    /// The key of the passed value if no line precedes this one.
    var firstKey: ContentKey<Output>?

    /// Returns this line followed by the steps of another line.
    ///
    /// Omitted optional steps have no output: the value stays under the key of this line.
    func joined<Next, Last>(to next: StepChain<Next, Last>) -> StepChain<Input, Last> {
        StepChain<Input, Last>(
            steps: steps + next.steps, outputKey: next.outputKey ?? Self.passed(on: outputKey),
            firstKey: Self.passed(on: firstKey) ?? next.firstKey)
    }

    /// Returns the key of a value that is passed on unchanged, or as an Optional.
    private static func passed<Last>(on key: ContentKey<Output>?) -> ContentKey<Last>? {
        guard let key, Last.self == Output.self || Last.self == Output?.self else { return nil }
        // `Last` differs from `Output` only by an Optional here, so the key keeps its name and slot.
        return ContentKey(key.name, slot: key.slot)
    }
}

extension StepChain: StepInLine {
    /// This line.
    public var line: StepChain { self }
}
