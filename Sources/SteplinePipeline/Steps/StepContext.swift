package import SteplineSupport

/// The attempt that a body runs in.
///
/// It may be kept by callbacks for as long as the attempt lasts; one of an earlier attempt changes nothing.
public struct StepContext: Sendable {
    let step: StepOperation

    /// The number of the attempt, from 1.
    public let attempt: Int

    private var number: UInt32 { UInt32(clamping: attempt) }
    private var owner: (any StepDriver)? { step.state.withLock { $0.owner } }

    /// The step's place in its pipeline; alone, the first of one.
    public var position: StepPosition {
        StepPosition(
            name: step.displayName, type: step.typeName, index: step.state.withLock { $0.index },
            count: owner?.stepCount ?? 1
        )
    }

    /// Whether the attempt should stop: the step or its pipeline was cancelled, or its time is over.
    ///
    /// Nothing interrupts a body that does not look.
    public var isCancelled: Bool {
        step.state.withLock { $0.isStopped(number) }
    }

    /// Throws `CancellationError` if the attempt should stop.
    public func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Calls `handler` once if the attempt is told to stop while it runs; at once if it has been.
    ///
    /// Where a body waits for a transfer, this is the place to stop it. The handler runs on the thread that
    /// cancels, and is dropped when the attempt ends.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        if isCancelled || !step.state.withLock({ $0.addStopHandler(number, handler) }) { handler() }
    }

    /// Tells how much of the step is done, from 0 to 1.
    public func report(fraction: Double) {
        report(StepProgress(fraction: fraction, completed: nil, total: nil))
    }

    /// Tells how much of the step is done, in bytes or whatever it counts; nil if the total isn't known.
    public func report(completed: Int64, of total: Int64?) {
        let fraction = total.map { $0 > 0 ? Double(completed) / Double($0) : 0 }
        report(StepProgress(fraction: fraction, completed: completed, total: total))
    }

    /// Ends this attempt, as ``StepOperation/finish(throwing:)`` does; nothing if it has ended.
    public func finish(throwing error: (any Error)? = nil) {
        step.end(attempt: attempt, error: error, content: nil)
    }

    /// Ends this attempt with an error, and leaves a bag for failure callbacks to read (PL-76).
    package func finish(throwing error: any Error, leaving content: Content) {
        step.end(attempt: attempt, error: error, content: content)
    }

    /// Ends this attempt with the bag that goes on.
    package func finish(with content: Content) {
        step.end(attempt: attempt, error: nil, content: content)
    }

    /// The clock that the step's pipeline goes by.
    package var clock: any StepClock { owner?.clock ?? .system }

    private func report(_ progress: StepProgress) {
        owner?.stepReported(step, attempt: number, progress)
    }
}
