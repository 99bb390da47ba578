import SteplineSupport

/// Who drives a step and hears from it: its pipeline, of which a step knows no more than this.
protocol StepDriver: AnyObject, Sendable {
    /// How many steps it has.
    var stepCount: Int { get }
    /// The clock that it goes by.
    var clock: any StepClock { get }

    /// The body of an attempt has ended later, on this thread; `inTask` if that is one of Swift's own.
    func bodyEnded(_ step: StepOperation, _ end: AttemptEnd, attempt: UInt32, inTask: Bool)
    /// The step was cancelled by itself.
    func stepWasCancelled(_ step: StepOperation)
    /// A body has told of its progress.
    func stepReported(_ step: StepOperation, attempt: UInt32, _ progress: StepProgress)
}

/// How the steps of a pipeline know it without keeping it alive: one weak reference for all of them.
final class PipelineLink: @unchecked Sendable {  // set once, before anybody else sees it
    private(set) weak var pipeline: (any StepDriver)?

    func point(to pipeline: some StepDriver) { self.pipeline = pipeline }
}
