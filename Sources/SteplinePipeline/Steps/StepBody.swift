/// What a step does, as a value: a type with one function, whose `Sendable` the compiler checks.
///
///     struct CountWords: StepBody {
///         func process(_ text: String) -> Int { text.split(separator: " ").count }
///     }
///
/// It stands in a line of steps as it is. The input is found by its type, and the output stored where values of its type
/// belong (``ContentKey/body``); ``reading(_:)`` and ``writing(_:)`` name other entries. ``step(from:to:)`` makes the
/// operation of it, for options of its own, for a list of steps, or for anybody's queue.
public protocol StepBody<Input, Output>: StepInLine, Sendable {
    /// The type of what it reads; `Void` for nothing, `Content` for the whole bag.
    override associatedtype Input
    /// The type of what it makes; `Void` for nothing, `Content` for a new bag.
    override associatedtype Output

    /// Turns the input into the output; an error thrown fails the step.
    ///
    /// Called once for each attempt, in a Swift task that is cancelled with the step or by its time-out. It must not block
    /// its thread, of which Swift's tasks share a few: a body that does belongs into a plain ``BlockStep`` or a
    /// ``BasicStep``, which have workers for that.
    func process(_ input: Input) async throws -> Output
}

extension StepBody {
    /// The body's step as a line of one.
    public var line: StepChain<Input, Output> { step().line }

    /// Makes a step that does this, named after the type.
    ///
    ///     CountWords().step().retrying(.none).timeout(.seconds(5))
    public func step(
        from inputKey: ContentKey<Input> = .body, to outputKey: ContentKey<Output> = .body
    ) -> BlockStep<Input, Output> {
        BlockStep(from: inputKey, to: outputKey) { input async throws in try await process(input) }
            .named("\(Self.self)")
    }
}
