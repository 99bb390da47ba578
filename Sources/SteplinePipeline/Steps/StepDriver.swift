import SteplineSupport

/// The object that runs a step and receives its events: a pipeline, of which a step knows only this interface.
protocol StepDriver: AnyObject, Sendable {
    /// The number of steps.
    var stepCount: Int { get }
    /// The clock for waits and dates.
    var clock: any StepClock { get }

    /// Handles the later end of an attempt's body on this thread; `inTask` is true on Swift's cooperative threads.
    func bodyEnded(_ step: StepOperation, _ end: AttemptEnd, attempt: UInt32, inTask: Bool)
    /// Handles a step that was cancelled by its own `cancel()`.
    func stepWasCancelled(_ step: StepOperation)
    /// Handles a body's progress report.
    func stepReported(_ step: StepOperation, attempt: UInt32, _ progress: StepProgress)
}

/// The weak reference to a pipeline that all its steps share.
final class PipelineLink: @unchecked Sendable {  // set once, before the link is shared
    private(set) weak var pipeline: (any StepDriver)?

    func point(to pipeline: some StepDriver) { self.pipeline = pipeline }
}
