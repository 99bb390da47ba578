import SteplineEngine
public import SteplineSupport

extension Pipeline {
    /// Starts the pipeline, waits for its end, and returns its output.
    ///
    /// Cancelling the waiting Swift task cancels the pipeline.
    ///
    /// - Parameter nothing: Pass no argument. The parameter only directs the compiler: a mistake in the steps of
    ///   `Pipeline.run { … }` is then reported there.
    /// - Returns: The output of the pipeline.
    /// - Throws: The errors of ``AnyPipeline/start()``, the ``PipelineError`` of the failed pipeline, or
    ///   `CancellationError`.
    @discardableResult
    public func run(_ nothing: Never...) async throws -> Output {
        try await runToEnd(wanting: nil).value(for: outputKey)
    }

    /// Waits for the end of the pipeline, without starting it.
    ///
    /// Any number of tasks can wait, before, during and after the run. The method returns after the callbacks that have
    /// no queue. Such a callback must not wait for this method, or both are blocked. Cancelling the waiting Swift task
    /// doesn't affect the pipeline.
    ///
    /// - Returns: The outcome with the pipeline's output.
    public func outcome() async -> Outcome<Output> {
        await bagOutcome().read(outputKey)
    }
}

extension Outcome<Content> {
    /// Returns the outcome with the pipeline's output; the end of the pipeline verified that the content contains it.
    func read<Output>(_ key: ContentKey<Output>) -> Outcome<Output> {
        do {
            return try map { try $0.value(for: key) }
        } catch {
            return .failure(error)
        }
    }
}
