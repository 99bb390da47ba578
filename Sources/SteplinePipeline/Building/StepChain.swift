/// A line of steps whose first input and last output the compiler knows: what a builder makes.
public struct StepChain<Input: Sendable, Output: Sendable>: Sendable {
    let steps: [any Step]
    /// Where the last step of the typed line puts what it makes; nil if its steps only pass on what came before.
    let outputKey: ContentKey<Output>?
    /// Where what it passes on is if nothing comes before.
    var firstKey: ContentKey<Output>?

    /// The same with the steps of another line behind.
    ///
    /// Steps that were left out make nothing: the value stays where the line before has put it.
    func joined<Next, Last>(to next: StepChain<Next, Last>) -> StepChain<Input, Last> {
        StepChain<Input, Last>(
            steps: steps + next.steps, outputKey: next.outputKey ?? Self.passed(on: outputKey),
            firstKey: Self.passed(on: firstKey) ?? next.firstKey)
    }

    /// The key of what goes on as it is, or as an Optional of that.
    private static func passed<Last>(on key: ContentKey<Output>?) -> ContentKey<Last>? {
        guard let key, Last.self == Output.self || Last.self == Output?.self else { return nil }
        return ContentKey(key.name, slot: key.slot)
    }
}

extension Pipeline {
    /// Makes a pipeline from a line of steps, whose output is that of the last.
    ///
    ///     let count = Pipeline("feed") {
    ///         FileLoadStep(file)
    ///         BlockStep { (data: Data) in data.count }
    ///     }
    ///
    /// That each step takes what the one before makes is checked by the compiler. A step that can't be added,
    /// as it was used before, makes the pipeline fail its check.
    public convenience init<Line: StepInLine>(
        _ name: String = "pipeline", id: String? = nil, content: Content = Content(),
        options: PipelineOptions = .init(),
        @StepChainBuilder _ steps: () throws -> Line
    ) rethrows where Line.Output == Output {
        let chain = try steps().line
        self.init(
            name, id: id, content: content, options: options,
            output: chain.outputKey ?? chain.firstKey ?? .body)
        take(chain.steps)
    }

    /// Runs a line of steps and returns what the last one made.
    ///
    /// The steps are made where this is called, such as on an actor. Throws as ``run(_:)`` does.
    public static func run<Line: StepInLine>(
        _ name: String = "pipeline", options: PipelineOptions = .init(),
        isolation: isolated (any Actor)? = #isolation,
        @StepChainBuilderGiven<Void> _ steps: () throws -> Line
    ) async throws -> Output where Line.Input == Void, Line.Output == Output {
        try await Pipeline(name, options: options, steps).run()
    }

    /// Runs a line of steps on content of one's own and returns what the last one made.
    ///
    ///     let city = try await Pipeline.run(content: Content(body: data)) { JSONDecodeStep<City>() }
    ///
    /// The first step may take what the bag holds, which is found out before any runs. All else is as without content.
    public static func run<Line: StepInLine>(
        _ name: String = "pipeline", content: Content, options: PipelineOptions = .init(),
        isolation: isolated (any Actor)? = #isolation,
        @StepChainBuilder _ steps: () throws -> Line
    ) async throws -> Output where Line.Output == Output {
        try await Pipeline(name, content: content, options: options, steps).run()
    }
}
