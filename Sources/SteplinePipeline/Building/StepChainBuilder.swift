/// Joins steps to a line in which each takes what the one before makes.
///
/// A step that reads nothing, the whole bag, or an Optional of what the one before makes goes anywhere, as does
/// one put in with ``Step/byKeys()``; behind a step that replaces the whole bag, any may come. Everything else
/// that doesn't fit is a compile error.
@resultBuilder
public enum StepChainBuilder {
    /// A step on the typed line.
    public static func buildExpression<S: TypedStep>(_ step: S) -> StepChain<S.Input, S.Output> {
        StepChain(steps: [step], outputKey: step.outputKey)
    }

    /// What a step does, as a value.
    public static func buildExpression<Body: StepBody>(_ body: Body) -> StepChain<Body.Input, Body.Output> {
        buildExpression(body.step())
    }

    /// A line made elsewhere, such as by a function that is marked as a builder.
    public static func buildExpression<Input, Output>(_ chain: StepChain<Input, Output>)
        -> StepChain<Input, Output>
    { chain }

    /// A step that reads an entry of one's own.
    public static func buildExpression<Input, Output>(_ step: ReadingStep<Input, Output>)
        -> StepChain<Void, Output>
    { StepChain(steps: [step.makeStep()], outputKey: step.outputKey) }

    /// A step whose output goes under a key of one's own: the line goes on with what it had.
    public static func buildExpression<Input, Output>(_ step: WritingStep<Input, Output>)
        -> StepChain<Input, Input>
    { StepChain(steps: [step.makeStep()], outputKey: nil, firstKey: step.inputKey) }

    /// Steps beside the typed line.
    public static func buildExpression(_ steps: KeyedSteps) -> KeyedSteps { steps }

    /// The beginning of a line.
    public static func buildPartialBlock<Input, Output>(
        first: StepChain<Input, Output>
    ) -> StepChain<Input, Output> { first }

    /// The beginning of a line, beside it.
    public static func buildPartialBlock(first: KeyedSteps) -> StepChain<Void, Void> {
        StepChain(steps: first.steps, outputKey: .nothing)
    }

    /// A step that takes what the one before makes.
    public static func buildPartialBlock<Input, Middle, Output>(
        accumulated: StepChain<Input, Middle>, next: StepChain<Middle, Output>
    ) -> StepChain<Input, Output> { join(accumulated, next) }

    /// A step that takes what the one before makes, if there is any.
    @_disfavoredOverload
    public static func buildPartialBlock<Input, Middle, Output>(
        accumulated: StepChain<Input, Middle>, next: StepChain<Middle?, Output>
    ) -> StepChain<Input, Output> { join(accumulated, next) }

    /// A step that reads nothing.
    @_disfavoredOverload
    public static func buildPartialBlock<Input, Middle, Output>(
        accumulated: StepChain<Input, Middle>, next: StepChain<Void, Output>
    ) -> StepChain<Input, Output> { join(accumulated, next) }

    /// A step that reads the whole bag.
    @_disfavoredOverload
    public static func buildPartialBlock<Input, Middle, Output>(
        accumulated: StepChain<Input, Middle>, next: StepChain<Content, Output>
    ) -> StepChain<Input, Output> { join(accumulated, next) }

    /// A step behind one that replaces the bag: what is in there shows when it runs.
    @_disfavoredOverload
    public static func buildPartialBlock<Input, Next, Output>(
        accumulated: StepChain<Input, Content>, next: StepChain<Next, Output>
    ) -> StepChain<Input, Output> { join(accumulated, next) }

    /// A step that reads nothing, behind one that replaces the bag.
    @_disfavoredOverload
    public static func buildPartialBlock<Input, Output>(
        accumulated: StepChain<Input, Content>, next: StepChain<Void, Output>
    ) -> StepChain<Input, Output> { join(accumulated, next) }

    /// Steps beside the line, which goes on with what it had.
    public static func buildPartialBlock<Input, Output>(
        accumulated: StepChain<Input, Output>, next: KeyedSteps
    ) -> StepChain<Input, Output> {
        StepChain(
            steps: accumulated.steps + next.steps, outputKey: accumulated.outputKey,
            firstKey: accumulated.firstKey)
    }

    /// Steps that may be left out, as they make what they take.
    public static func buildOptional<Value>(_ chain: StepChain<Value, Value>?) -> StepChain<Value, Value> {
        chain ?? StepChain(steps: [], outputKey: nil)
    }

    /// Steps beside the line that may be left out.
    public static func buildOptional(_ steps: KeyedSteps?) -> KeyedSteps {
        steps ?? KeyedSteps(steps: [])
    }

    /// The first of two ways.
    public static func buildEither<Input, Output>(
        first chain: StepChain<Input, Output>
    ) -> StepChain<Input, Output> { chain }

    /// The second of two ways.
    public static func buildEither<Input, Output>(
        second chain: StepChain<Input, Output>
    ) -> StepChain<Input, Output> { chain }

    /// Any number of steps that make what they take.
    public static func buildArray<Value>(
        _ chains: [StepChain<Value, Value>]
    ) -> StepChain<Value, Value> {
        StepChain(steps: chains.flatMap(\.steps), outputKey: chains.last { $0.outputKey != nil }?.outputKey)
    }

    private static func join<Input, Middle, Next, Output>(
        _ first: StepChain<Input, Middle>, _ second: StepChain<Next, Output>
    ) -> StepChain<Input, Output> {
        // Steps that were left out make nothing: the value stays where the line before has put it.
        StepChain(
            steps: first.steps + second.steps, outputKey: second.outputKey ?? passed(on: first.outputKey),
            firstKey: passed(on: first.firstKey) ?? second.firstKey)
    }

    /// The key of what goes on as it is, or as an Optional of that.
    private static func passed<Value, Output>(on key: ContentKey<Value>?) -> ContentKey<Output>? {
        guard let key, Output.self == Value.self || Output.self == Value?.self else { return nil }
        return ContentKey(key.name, slot: key.slot)
    }
}
