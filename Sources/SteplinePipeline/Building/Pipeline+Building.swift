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
