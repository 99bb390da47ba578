/// What all builders of lines have in common: it joins steps of which each takes what the one before makes.
///
/// A step that reads nothing, the whole bag, or an Optional of what the one before makes goes anywhere, as does
/// one put in with ``Step/byKeys()``; behind a step that replaces the whole bag, any may come. Everything else
/// that doesn't fit is a compile error at the step, which names it, the one before, and what they take and make.
@resultBuilder
public class LineBuilder {
    /// A step, what a step does as a value, or a line made elsewhere.
    public static func buildExpression<Member: StepInLine>(
        _ step: Member
    ) -> ThisStep<Member>.Taking<Member.Input> { .init(line: step.line) }

    /// The beginning of a line.
    public static func buildPartialBlock<First>(
        first: ThisStep<First>.Taking<First.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<First> { .init(line: first.line) }

    /// The beginning of a line, beside it.
    public static func buildPartialBlock<First>(
        first: ThisStep<First>.Taking<First.Input>
    ) -> LineFrom<StepChain<Void, Void>>.Taking<Void>.To<StepChain<Void, Void>>
    where First.Output == KeyedSteps.Beside {
        .init(line: StepChain(steps: first.line.steps, outputKey: .nothing))
    }

    /// A step that takes what the one before makes.
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Next.Input == Before.Output {
        join(accumulated, next)
    }

    /// A step that takes what the one before makes, if there is any.
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Next.Input == Before.Output? {
        join(accumulated, next)
    }

    /// A step that reads nothing.
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Next.Input == Void {
        join(accumulated, next)
    }

    /// A step that reads the whole bag.
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Next.Input == Content {
        join(accumulated, next)
    }

    /// A step behind one that replaces the bag: what is in there shows when it runs.
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Before.Output == Content {
        join(accumulated, next)
    }

    /// A step that reads nothing, behind one that replaces the bag.
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Before.Output == Content, Next.Input == Void {
        join(accumulated, next)
    }

    /// Steps beside the line, which goes on with what it had.
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Before>
    where Next.Output == KeyedSteps.Beside {
        let line = accumulated.line
        return .init(
            line: StepChain(
                steps: line.steps + next.line.steps, outputKey: line.outputKey, firstKey: line.firstKey))
    }

    /// Steps that may be left out, as they make what they take.
    public static func buildOptional<Steps: StepInLine>(
        _ steps: Steps?
    ) -> ThisStep<StepsOfIf<Steps>>.Taking<Steps.Input> where Steps.Input == Steps.Output {
        .init(line: steps?.line ?? StepChain(steps: [], outputKey: nil))
    }

    /// The first of two ways.
    public static func buildEither<First: StepInLine, Second: StepInLine>(
        first steps: First
    ) -> ThisStep<StepsOfEither<First, Second>>.Taking<First.Input>
    where First.Input == Second.Input, First.Output == Second.Output { .init(line: steps.line) }

    /// The second of two ways.
    public static func buildEither<First: StepInLine, Second: StepInLine>(
        second steps: Second
    ) -> ThisStep<StepsOfEither<First, Second>>.Taking<First.Input>
    where First.Input == Second.Input, First.Output == Second.Output { .init(line: steps.line) }

    /// Any number of steps that make what they take.
    public static func buildArray<Steps: StepInLine>(
        _ rounds: [Steps]
    ) -> ThisStep<StepsOfLoop<Steps>>.Taking<Steps.Input> where Steps.Input == Steps.Output {
        let lines = rounds.map(\.line)
        return .init(
            line: StepChain(
                steps: lines.flatMap(\.steps), outputKey: lines.last { $0.outputKey != nil }?.outputKey))
    }

    private static func join<First, Before, Next>(
        _ first: LineFrom<First>.Taking<First.Input>.To<Before>, _ second: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> {
        .init(line: first.line.joined(to: second.line))
    }
}

/// Joins steps to a line that may take anything, such as one that is kept.
@resultBuilder
public final class StepChainBuilder: LineBuilder {
    /// The line as a value.
    public static func buildFinalResult<First, Last>(
        _ line: LineFrom<First>.Taking<First.Input>.To<Last>
    ) -> StepChain<First.Input, Last.Output> { line.line }
}

/// Joins steps to a line whose first step takes what is given to it, such as `Void` where it is run at once.
@resultBuilder
public final class StepChainBuilderGiven<Given: Sendable>: LineBuilder {
    /// The line as a value.
    public static func buildFinalResult<First, Last>(
        _ line: LineFrom<First>.Taking<First.Input>.To<Last>
    ) -> StepChain<Given, Last.Output> where First.Input == Given { line.line }
}
