import SteplineEngine
public import SteplineSupport

extension Pipeline {
    /// Starts the pipeline, waits for its end, and returns what it makes.
    ///
    /// Throws what ``AnyPipeline/start()`` throws, the ``PipelineError`` that it failed with, or `CancellationError`.
    /// Cancelling the Swift task that waits cancels the pipeline. It takes nothing; the parameter is for the compiler alone,
    /// which without it takes a mistake in the steps of `Pipeline.run { … }` for one in a call of this.
    @discardableResult
    public func run(_ nothing: Never...) async throws -> Output {
        try await runToEnd(wanting: nil).value(for: outputKey)
    }

    /// Waits for the end, however it comes; any number may, before, during and after the run.
    ///
    /// Returns after the callbacks that have no queue of their own, none of which may therefore block until it does.
    /// Does not start the pipeline. Cancelling the Swift task that waits has no effect on it.
    public func outcome() async -> Outcome<Output> {
        await bagOutcome().read(outputKey)
    }
}

extension Outcome<Content> {
    /// The same with what a pipeline was to make: that the bag of a success holds it was seen as it ended.
    func read<Output>(_ key: ContentKey<Output>) -> Outcome<Output> {
        do {
            return try map { try $0.value(for: key) }
        } catch {
            return .failure(error)
        }
    }
}
