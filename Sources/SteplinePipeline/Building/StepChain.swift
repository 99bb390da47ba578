/// A line of steps whose first input and last output the compiler knows: what a builder makes.
public struct StepChain<Input: Sendable, Output: Sendable> {
    let steps: [any Step]
    /// Where the last step of the typed line puts what it makes; nil if its steps only pass on what came before.
    let outputKey: ContentKey<Output>?
    /// Where what it passes on is if nothing comes before.
    var firstKey: ContentKey<Output>?
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
    public convenience init<Input>(
        _ name: String = "pipeline", id: String? = nil, content: Content = Content(),
        options: PipelineOptions = .init(),
        @StepChainBuilder _ steps: () throws -> StepChain<Input, Output>
    ) rethrows {
        let chain = try steps()
        self.init(
            name, id: id, content: content, options: options,
            output: chain.outputKey ?? chain.firstKey ?? .body)
        take(chain.steps)
    }

    /// Runs a line of steps and returns what the last one made.
    ///
    /// The steps are made where this is called, such as on an actor. Throws as ``run()`` does.
    public static func run(
        _ name: String = "pipeline", options: PipelineOptions = .init(),
        isolation: isolated (any Actor)? = #isolation,
        @StepChainBuilder _ steps: () throws -> StepChain<Void, Output>
    ) async throws -> Output {
        try await Pipeline(name, options: options, steps).run()
    }
}
