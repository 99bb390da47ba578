// These overloads are never called: they improve compiler diagnostics. For a wrong argument type, the compiler names
// both types. For a matching argument, the compiler prints the `message`.

extension LineBuilder {
    /// Reports a step whose input differs from the previous step's output.
    @available(*, unavailable, message: "the step takes something else than the one before it makes")
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>,
        next: StepAfter<Before>.Taking<Before.Output>
    ) -> LineFrom<First>.Taking<First.Input>.To<Before> { accumulated }

    /// Reports a step of unknown types, or an argument that is no step.
    @available(
        *, unavailable,
        message: "the types of this step aren't known here: byKeys() puts it in by its keys"
    )
    @_disfavoredOverload
    public static func buildExpression(_ step: any Step) -> ThisStep<KeyedSteps>.Taking<KeyedSteps.Beside> {
        .init(line: step.byKeys().line)
    }

    /// Reports a line without steps.
    @available(*, unavailable, message: "a line has one step at least")
    public static func buildBlock() -> LineFrom<StepChain<Void, Void>>.Taking<Void>.To<StepChain<Void, Void>>
    {
        .init(line: StepChain(steps: [], outputKey: .nothing))
    }
}

extension StepChainBuilderGiven {
    /// Reports a line whose first step needs another input than the given one.
    @available(*, unavailable, message: "the first step takes something else than it is given")
    @_disfavoredOverload
    public static func buildFinalResult(_ line: LineGiven<Given>) -> StepChain<Given, Never> {
        StepChain(steps: [], outputKey: nil)
    }
}
