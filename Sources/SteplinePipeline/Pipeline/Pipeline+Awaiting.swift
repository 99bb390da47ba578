import SteplineEngine
public import SteplineSupport

extension Pipeline {
    /// Starts or joins the pipeline, waits for its end, and returns its output.
    ///
    /// If the pipeline was started before, this call waits for that run, or returns its outcome. No step runs twice;
    /// ``AnyPipeline/copy(content:withCallbacks:)`` runs the steps again. Cancelling the waiting Swift task cancels the
    /// pipeline.
    ///
    /// - Parameter nothing: Pass no argument. The parameter only directs the compiler: a mistake in the steps of
    ///   `Pipeline.run { … }` is then reported there.
    /// - Returns: The output of the pipeline.
    /// - Throws: `.checkFailed` as ``AnyPipeline/start()`` does, the ``PipelineError`` of the failed pipeline, or
    ///   `CancellationError`.
    @discardableResult
    public func run(_ nothing: Never...) async throws -> Output {
        try await runToEnd(wanting: nil).value(for: outputKey)
    }

    /// Starts or joins the pipeline like ``run(_:)``, waits for its end, and returns the outcome.
    ///
    /// Any number of tasks can wait, before, during and after the run. The method returns after the callbacks that have
    /// no queue. Such a callback must not wait for this method, or both are blocked. Cancelling the waiting Swift task
    /// doesn't affect the pipeline.
    ///
    /// - Returns: The outcome with the pipeline's output. A failure with `.checkFailed` says why the pipeline wasn't
    ///   started.
    public func outcome() async -> Outcome<Output> {
        await startedOutcome().read(outputKey)
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
