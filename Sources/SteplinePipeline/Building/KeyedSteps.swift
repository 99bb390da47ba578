/// Steps that go by their own keys, beside the typed line: their types are checked before the run.
public struct KeyedSteps {
    let steps: [any Step]
}

/// A step that reads an entry of one's own, and goes on with what it makes.
public struct ReadingStep<Entry: Sendable, Output: Sendable> {
    let outputKey: ContentKey<Output>
    private let make: (_ output: ContentKey<Output>?) -> any Step

    init(_ outputKey: ContentKey<Output>, _ make: @escaping (ContentKey<Output>?) -> any Step) {
        self.outputKey = outputKey
        self.make = make
    }

    func makeStep() -> any Step { make(nil) }

    /// Stores what the step makes under a key of one's own: what the step before has made goes on.
    public func writing(_ key: ContentKey<Output>) -> KeyedSteps { KeyedSteps(steps: [make(key)]) }
}

/// A step that reads what the one before makes, and stores what it makes under a key of one's own.
public struct WritingStep<Input: Sendable, Entry: Sendable> {
    let inputKey: ContentKey<Input>
    private let make: (_ input: ContentKey<Input>?) -> any Step

    init(_ inputKey: ContentKey<Input>, _ make: @escaping (ContentKey<Input>?) -> any Step) {
        self.inputKey = inputKey
        self.make = make
    }

    func makeStep() -> any Step { make(nil) }

    /// Reads an entry of one's own: the step then fits anywhere.
    public func reading(_ key: ContentKey<Input>) -> KeyedSteps { KeyedSteps(steps: [make(key)]) }
}

extension Step {
    /// Puts the step into a typed line by its keys alone, without regard to what the step before makes.
    public func byKeys() -> KeyedSteps { KeyedSteps(steps: [self]) }
}

extension StepBody {
    /// Reads an entry of one's own, so that it fits behind any other.
    ///
    ///     CountWords().reading(.article).writing(.wordCount)
    public func reading(_ key: ContentKey<Input>) -> ReadingStep<Input, Output> {
        ReadingStep(.body) { step(from: key, to: $0 ?? .body) }
    }

    /// Stores what it makes under a key of one's own: what the step before has made goes on.
    public func writing(_ key: ContentKey<Output>) -> WritingStep<Input, Output> {
        WritingStep(.body) { step(from: $0 ?? .body, to: key) }
    }
}

extension ReadingStep: StepInLine {
    /// The step as a line of one.
    public var line: StepChain<Void, Output> { StepChain(steps: [makeStep()], outputKey: outputKey) }
}

extension WritingStep: StepInLine {
    /// The step as a line of one, which goes on with what it had.
    public var line: StepChain<Input, Input> {
        StepChain(steps: [makeStep()], outputKey: nil, firstKey: inputKey)
    }
}

extension KeyedSteps: StepInLine {
    /// What steps beside a line take from it, and make for it.
    public enum Beside: Sendable {}

    /// The steps as a line, which has what it is joined to.
    public var line: StepChain<Beside, Beside> { StepChain(steps: steps, outputKey: nil) }
}
