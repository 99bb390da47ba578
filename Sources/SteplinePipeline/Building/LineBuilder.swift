/// The base of all builders of lines, which joins each step to the previous step's output.
///
/// Some steps fit at any place: steps that read nothing, the whole content, or an Optional of the previous output, and
/// steps added with ``Step/byKeys()``. Any step fits after a step that replaces the whole content. Every other mismatch
/// is a compile error at the step. The error names both steps with their input and output.
@resultBuilder
public class LineBuilder {
    /// Accepts a step, a step body, or a complete line.
    public static func buildExpression<Member: StepInLine>(
        _ step: Member
    ) -> ThisStep<Member>.Taking<Member.Input> { .init(line: step.line) }

    /// Begins a line with a step.
    public static func buildPartialBlock<First>(
        first: ThisStep<First>.Taking<First.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<First> { .init(line: first.line) }

    /// Begins a line with steps that leave the typed line unchanged.
    public static func buildPartialBlock<First>(
        first: ThisStep<First>.Taking<First.Input>
    ) -> LineFrom<StepChain<Void, Void>>.Taking<Void>.To<StepChain<Void, Void>>
    where First.Output == KeyedSteps.Beside {
        // The typed line has no value yet: the next step must fit without a previous output.
        .init(line: StepChain(steps: first.line.steps, outputKey: .nothing))
    }

    /// Adds a step that reads the previous output.
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Next.Input == Before.Output {
        join(accumulated, next)
    }

    // Disfavored overloads yield to the exact match above, so a fitting step is never ambiguous.
    /// Adds a step that reads the previous output if there is one.
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Next.Input == Before.Output? {
        join(accumulated, next)
    }

    /// Adds a step that reads nothing.
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Next.Input == Void {
        join(accumulated, next)
    }

    /// Adds a step that reads the whole content.
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Next.Input == Content {
        join(accumulated, next)
    }

    /// Adds a step after one that replaces the content; its input is checked at run time.
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Before.Output == Content {
        join(accumulated, next)
    }

    // Without this overload two disfavored ones would match: those for no input, and for any input after content.
    /// Adds a step that reads nothing after one that replaces the content.
    @_disfavoredOverload
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> where Before.Output == Content, Next.Input == Void {
        join(accumulated, next)
    }

    /// Adds steps that leave the typed line unchanged.
    public static func buildPartialBlock<First, Before, Next>(
        accumulated: LineFrom<First>.Taking<First.Input>.To<Before>, next: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Before>
    where Next.Output == KeyedSteps.Beside {
        let line = accumulated.line
        return .init(
            line: StepChain(
                // The keyed steps' own outputs don't count: the value stays under the key of the line before them.
                steps: line.steps + next.line.steps, outputKey: line.outputKey, firstKey: line.firstKey))
    }

    /// Adds optional steps, whose input and output types are the same.
    public static func buildOptional<Steps: StepInLine>(
        _ steps: Steps?
    ) -> ThisStep<StepsOfIf<Steps>>.Taking<Steps.Input> where Steps.Input == Steps.Output {
        // A nil key leaves the value of the line under the key that the previous step wrote.
        .init(line: steps?.line ?? StepChain(steps: [], outputKey: nil))
    }

    /// Adds the steps of the first branch.
    public static func buildEither<First: StepInLine, Second: StepInLine>(
        first steps: First
    ) -> ThisStep<StepsOfEither<First, Second>>.Taking<First.Input>
    where First.Input == Second.Input, First.Output == Second.Output { .init(line: steps.line) }

    /// Adds the steps of the second branch.
    public static func buildEither<First: StepInLine, Second: StepInLine>(
        second steps: Second
    ) -> ThisStep<StepsOfEither<First, Second>>.Taking<First.Input>
    where First.Input == Second.Input, First.Output == Second.Output { .init(line: steps.line) }

    /// Adds the steps of a loop, whose input and output types are the same.
    public static func buildArray<Steps: StepInLine>(
        _ rounds: [Steps]
    ) -> ThisStep<StepsOfLoop<Steps>>.Taking<Steps.Input> where Steps.Input == Steps.Output {
        let lines = rounds.map(\.line)
        return .init(
            // Rounds without an output key pass their value on, so the latest key holds the value.
            line: StepChain(
                steps: lines.flatMap(\.steps), outputKey: lines.last { $0.outputKey != nil }?.outputKey))
    }

    private static func join<First, Before, Next>(
        _ first: LineFrom<First>.Taking<First.Input>.To<Before>, _ second: ThisStep<Next>.Taking<Next.Input>
    ) -> LineFrom<First>.Taking<First.Input>.To<Next> {
        .init(line: first.line.joined(to: second.line))
    }
}

/// Builds a line with any input, such as a line that is stored.
@resultBuilder
public final class StepChainBuilder: LineBuilder {
    /// Returns the line as a value.
    public static func buildFinalResult<First, Last>(
        _ line: LineFrom<First>.Taking<First.Input>.To<Last>
    ) -> StepChain<First.Input, Last.Output> { line.line }
}

/// Builds a line whose first step takes the given input, such as `Void` for a line that runs at once.
@resultBuilder
public final class StepChainBuilderGiven<Given: Sendable>: LineBuilder {
    /// Returns the line as a value.
    public static func buildFinalResult<First, Last>(
        _ line: LineFrom<First>.Taking<First.Input>.To<Last>
    ) -> StepChain<Given, Last.Output> where First.Input == Given { line.line }
}
