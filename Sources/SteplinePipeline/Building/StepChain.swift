/// A line of steps whose first input and last output the compiler knows: what a builder makes.
public struct StepChain<Input: Sendable, Output: Sendable> {
    let steps: [any Step]
    /// Where the last step of the typed line puts what it makes; nil for a line without steps.
    package let outputKey: ContentKey<Output>?
}

extension Pipeline {
    /// Makes a pipeline from a line of steps.
    ///
    ///     let pipeline = Pipeline("feed") {
    ///         FileLoadStep(file)
    ///         BlockStep { (data: Data) in data.count }
    ///     }
    ///
    /// That each step takes what the one before makes is checked by the compiler. A step that can't be added,
    /// as it was used before, makes the pipeline fail its check.
    public convenience init<Input, Output>(
        _ name: String = "pipeline", id: String? = nil, content: Content = Content(),
        options: PipelineOptions = .init(),
        @StepChainBuilder _ steps: () throws -> StepChain<Input, Output>
    ) rethrows {
        self.init(name, id: id, content: content, options: options)
        let chain = try steps()
        take(chain.steps)
    }

    /// Runs a line of steps and returns what the last one made.
    ///
    /// Throws as ``run()`` does.
    public static func run<Output>(
        _ name: String = "pipeline", options: PipelineOptions = .init(),
        @StepChainBuilder _ steps: () throws -> StepChain<Void, Output>
    ) async throws -> Output {
        let chain = try steps()
        let pipeline = Pipeline(name, options: options)
        try pipeline.insert(chain.steps, at: .last)
        guard let key = chain.outputKey else {
            try await pipeline.run()
            throw PipelineError.missingInput(ContentKey<Output>.body.erased).inPipeline(name)
        }
        return try await pipeline.run(returning: key)
    }
}
