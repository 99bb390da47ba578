extension Pipeline {
    /// Creates a pipeline from a line of steps, whose output is the last step's output.
    ///
    ///     let count = Pipeline("feed") {
    ///         FileLoadStep(file)
    ///         BlockStep { (data: Data) in data.count }
    ///     }
    ///
    /// The compiler checks that each step fits after the previous one. A step that can't be added, for example because
    /// it was used before, becomes an error of ``AnyPipeline/check()``.
    ///
    /// - Parameters:
    ///   - name: The name in logs, errors and events.
    ///   - id: The identity; nil for a new one.
    ///   - content: The content that the first step receives.
    ///   - options: The options of the run.
    ///   - steps: The steps of the line.
    public convenience init<Line: StepInLine>(
        _ name: String = "pipeline", id: String? = nil, content: Content = Content(),
        options: PipelineOptions = .init(),
        @StepChainBuilder _ steps: () throws -> Line
    ) rethrows where Line.Output == Output {
        let chain = try steps().line
        self.init(
            name, id: id, content: content, options: options,
            // An input key without an output key: the steps only pass their input on.
            output: chain.outputKey ?? chain.firstKey ?? .body)
        take(chain.steps)
    }

    /// Runs a line of steps and returns the last step's output.
    ///
    /// The closure creates the steps in the caller's isolation, for example on an actor. Cancelling the Swift task
    /// cancels the pipeline.
    ///
    /// - Parameters:
    ///   - name: The name in logs, errors and events.
    ///   - options: The options of the run.
    ///   - isolation: The actor that creates the steps.
    ///   - steps: The steps of the line, whose first step takes no input.
    /// - Returns: The output of the last step.
    /// - Throws: The errors of ``run(_:)``.
    public static func run<Line: StepInLine>(
        _ name: String = "pipeline", options: PipelineOptions = .init(),
        isolation: isolated (any Actor)? = #isolation,
        @StepChainBuilderGiven<Void> _ steps: () throws -> Line
    ) async throws -> Output where Line.Input == Void, Line.Output == Output {
        try await Pipeline(name, options: options, steps).run()
    }

    /// Runs a line of steps on a value and returns the last step's output.
    ///
    ///     let counts = try await Pipeline.run(on: "to be or not to be") { CountWords() }
    ///
    /// The compiler checks that the first step takes the value.
    ///
    /// - Parameters:
    ///   - name: The name in logs, errors and events.
    ///   - value: The input of the first step.
    ///   - options: The options of the run.
    ///   - isolation: The actor that creates the steps.
    ///   - steps: The steps of the line.
    /// - Returns: The output of the last step.
    /// - Throws: The errors of ``run(_:)``.
    public static func run<Given: Sendable, Line: StepInLine>(
        _ name: String = "pipeline", on value: Given, options: PipelineOptions = .init(),
        isolation: isolated (any Actor)? = #isolation,
        @StepChainBuilderGiven<Given> _ steps: () throws -> Line
    ) async throws -> Output where Line.Input == Given, Line.Output == Output {
        try await Pipeline(name, content: Content(body: value), options: options, steps).run()
    }

    /// Runs a line of steps on given content and returns the last step's output.
    ///
    ///     let city = try await Pipeline.run(content: Content(body: data)) { JSONDecodeStep<City>() }
    ///
    /// The first step may read any entry of the content; ``AnyPipeline/check()`` verifies this before the first step
    /// runs.
    ///
    /// - Parameters:
    ///   - name: The name in logs, errors and events.
    ///   - content: The content that the first step receives.
    ///   - options: The options of the run.
    ///   - isolation: The actor that creates the steps.
    ///   - steps: The steps of the line.
    /// - Returns: The output of the last step.
    /// - Throws: The errors of ``run(_:)``.
    public static func run<Line: StepInLine>(
        _ name: String = "pipeline", content: Content, options: PipelineOptions = .init(),
        isolation: isolated (any Actor)? = #isolation,
        @StepChainBuilder _ steps: () throws -> Line
    ) async throws -> Output where Line.Output == Output {
        try await Pipeline(name, content: content, options: options, steps).run()
    }
}
