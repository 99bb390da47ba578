/// Steps that read and write content by their own keys, outside the typed line; ``AnyPipeline/check()`` verifies their
/// types.
public struct KeyedSteps {
    let steps: [any Step]
}

/// A step with a given input key, whose output continues the typed line.
public struct ReadingStep<Entry: Sendable, Output: Sendable> {
    let outputKey: ContentKey<Output>
    private let make: (_ output: ContentKey<Output>?) -> any Step

    init(_ outputKey: ContentKey<Output>, _ make: @escaping (ContentKey<Output>?) -> any Step) {
        self.outputKey = outputKey
        self.make = make
    }

    // Nil: the step writes its own output key.
    func makeStep() -> any Step { make(nil) }

    /// Stores the output under `key`; the line continues with the previous step's output.
    public func writing(_ key: ContentKey<Output>) -> KeyedSteps { KeyedSteps(steps: [make(key)]) }
}

/// A step that reads the previous step's output and stores its own output under a given key.
public struct WritingStep<Input: Sendable, Entry: Sendable> {
    let inputKey: ContentKey<Input>
    private let make: (_ input: ContentKey<Input>?) -> any Step

    init(_ inputKey: ContentKey<Input>, _ make: @escaping (ContentKey<Input>?) -> any Step) {
        self.inputKey = inputKey
        self.make = make
    }

    // Nil: the step reads its own input key.
    func makeStep() -> any Step { make(nil) }

    /// Reads the input from `key`, so the step fits at any place of a line.
    public func reading(_ key: ContentKey<Input>) -> KeyedSteps { KeyedSteps(steps: [make(key)]) }
}

extension Step {
    /// Adds the step to a typed line by its keys alone, independent of the previous step's output.
    public func byKeys() -> KeyedSteps { KeyedSteps(steps: [self]) }
}

extension StepBody {
    /// Reads the input from `key`, so the body fits after any step.
    ///
    ///     CountWords().reading(.article).writing(.wordCount)
    public func reading(_ key: ContentKey<Input>) -> ReadingStep<Input, Output> {
        ReadingStep(.body) { step(from: key, to: $0 ?? .body) }
    }

    /// Stores the output under `key`; the line continues with the previous step's output.
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
        // The output is no value of the line. As the first step, the line's value is the input that the step read.
        StepChain(steps: [makeStep()], outputKey: nil, firstKey: inputKey)
    }
}

extension KeyedSteps: StepInLine {
    /// The input and output of steps that leave the typed line unchanged.
    public enum Beside: Sendable {}

    /// The steps as a line, which has what it is joined to.
    public var line: StepChain<Beside, Beside> { StepChain(steps: steps, outputKey: nil) }
}
