package import SteplineSupport

/// The attempt that a body runs in.
///
/// Callbacks may keep the context during the attempt. The context of an earlier attempt has no effect.
public struct StepContext: Sendable {
    let step: StepOperation

    /// The number of the attempt, from 1.
    public let attempt: Int

    private var number: UInt32 { UInt32(clamping: attempt) }
    private var owner: (any StepDriver)? { step.state.withLock { $0.owner } }

    /// The step's position in its pipeline; without a pipeline, the first of one.
    public var position: StepPosition {
        StepPosition(
            name: step.displayName, type: step.typeName, index: step.state.withLock { $0.index },
            count: owner?.stepCount ?? 1
        )
    }

    /// Whether the attempt should stop: the step or its pipeline was cancelled, or the attempt timed out.
    ///
    /// A body that doesn't check this property isn't interrupted.
    public var isCancelled: Bool {
        step.state.withLock { $0.isStopped(number) }
    }

    /// Checks whether the attempt should stop.
    ///
    /// - Throws: `CancellationError` if the attempt should stop.
    public func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Calls `handler` once when the attempt is stopped; at once if the attempt was stopped already.
    ///
    /// Use the handler to stop a transfer that the body waits for.
    ///
    /// - Parameter handler: The handler, called on the cancelling thread. It is released when the attempt ends.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        // `addStopHandler` checks again and adds the handler under one lock: no stop can come between.
        if isCancelled || !step.state.withLock({ $0.addStopHandler(number, handler) }) { handler() }
    }

    /// Reports the completed fraction of the step, from 0 to 1.
    public func report(fraction: Double) {
        report(StepProgress(fraction: fraction, completed: nil, total: nil))
    }

    /// Reports the completed units of the step, such as bytes.
    ///
    /// - Parameters:
    ///   - completed: The number of completed units.
    ///   - total: The number of all units; nil if unknown.
    public func report(completed: Int64, of total: Int64?) {
        // An empty total counts as nothing done: the end of the step completes it.
        let fraction = total.map { $0 > 0 ? Double(completed) / Double($0) : 0 }
        report(StepProgress(fraction: fraction, completed: completed, total: total))
    }

    /// Ends this attempt like ``StepOperation/finish(throwing:)``; does nothing if the attempt has ended.
    public func finish(throwing error: (any Error)? = nil) {
        step.end(attempt: attempt, error: error, content: nil)
    }

    /// Ends this attempt with an error and leaves content for failure callbacks (PL-76).
    package func finish(throwing error: any Error, leaving content: Content) {
        step.end(attempt: attempt, error: error, content: content)
    }

    /// Ends this attempt with the content for the next step.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - onTransport: Whether this thread must not block. A worker then calls the callbacks, which are user code.
    package func finish(with content: Content, onTransport: Bool = false) {
        step.end(attempt: attempt, error: nil, content: content, inTask: onTransport)
    }

    /// Whether the end of the attempt is written to a log, whose sinks are user code.
    package var isLogged: Bool { step.pipeline?.options.log != nil }

    /// The clock of the step's pipeline.
    package var clock: any StepClock { owner?.clock ?? .system }

    private func report(_ progress: StepProgress) {
        owner?.stepReported(step, attempt: number, progress)
    }
}
