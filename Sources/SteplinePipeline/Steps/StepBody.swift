/// The body of a step as a value: a type with one function, whose `Sendable` conformance the compiler checks.
///
///     struct CountWords: StepBody {
///         func process(_ text: String) -> Int { text.split(separator: " ").count }
///     }
///
/// A step body is a valid part of a line of steps. The input and output types select the entries (``ContentKey/body``);
/// ``reading(_:)`` and ``writing(_:)`` name other entries. ``step(from:to:)`` creates the operation, for further
/// options, a list of steps, or any operation queue.
public protocol StepBody<Input, Output>: StepInLine, Sendable {
    /// The input type; `Void` for no input, `Content` for the whole content.
    override associatedtype Input
    /// The output type; `Void` for no output, `Content` for new content.
    override associatedtype Output

    /// Returns the output for an input; a thrown error fails the step.
    ///
    /// Called once per attempt, in a Swift task that is cancelled with the step or by its time-out. The method must not
    /// block its thread, because Swift's tasks share only a few threads. Use a synchronous ``BlockStep`` or a
    /// ``BasicStep`` for a blocking body: those run on workers.
    ///
    /// - Parameter input: The input of the step.
    /// - Returns: The output of the step.
    /// - Throws: An error that fails the step.
    func process(_ input: Input) async throws -> Output
}

extension StepBody {
    /// A line with the body's step only.
    public var line: StepChain<Input, Output> { step().line }

    /// Creates a step with this body, named after the type.
    ///
    ///     CountWords().step().retrying(.none).timeout(.seconds(5))
    public func step(
        from inputKey: ContentKey<Input> = .body, to outputKey: ContentKey<Output> = .body
    ) -> BlockStep<Input, Output> {
        BlockStep(from: inputKey, to: outputKey) { input async throws in try await process(input) }
            // Without a name, errors and events would show the class `BlockStep`.
            .named("\(Self.self)")
    }
}
