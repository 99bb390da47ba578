// What is never called. Where nothing else fits, the compiler tells that an argument isn't of the type that one of these
// takes, and names both types; where one fits, it says the message.

extension LineBuilder {
    /// A step that takes something else than the one before makes.
    @available(*, unavailable, message: "the step takes something else than the one before it makes")
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>,
        next: StepBehind<Before>.Taking<Before.Output>
    ) -> LineFrom<First>.Taking<First.Input>.To<Before> { accumulated }

    /// A step whose types aren't known, or what is no step.
    @available(
        *, unavailable,
        message: "what this step takes and makes isn't known here: byKeys() puts it in by its keys"
    )
    @_disfavoredOverload
    public static func buildExpression(_ step: any Step) -> ThisStep<KeyedSteps>.Taking<KeyedSteps.Beside> {
        .init(line: step.byKeys().line)
    }

    /// A line without steps.
    @available(*, unavailable, message: "a line has one step at least")
    public static func buildBlock() -> LineFrom<StepChain<Void, Void>>.Taking<Void>.To<StepChain<Void, Void>>
    {
        .init(line: StepChain(steps: [], outputKey: .nothing))
    }
}

extension StepChainBuilderGiven {
    /// A line whose first step takes something else than it is given.
    @available(*, unavailable, message: "the first step takes something else than it is given")
    @_disfavoredOverload
    public static func buildFinalResult(_ line: LineGiven<Given>) -> StepChain<Given, Never> {
        StepChain(steps: [], outputKey: nil)
    }
}
