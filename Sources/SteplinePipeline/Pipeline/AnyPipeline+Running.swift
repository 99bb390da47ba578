import SteplineEngine
public import SteplineSupport

extension AnyPipeline {
    /// Starts the pipeline and returns without waiting; no step runs on the caller's stack.
    ///
    /// Throws a ``PipelineError``: `.checkFailed` with everything that ``check()`` finds, and then nothing has
    /// run and the pipeline can be mended and started; `.alreadyStarted` for a second start. One that was
    /// cancelled beforehand is left as it is.
    public func start() throws {
        try start(wanting: nil)
    }

    func start(wanting wanted: AnyContentKey?) throws {
        // Steps are asked what they declare outside the lock; if the line changes meanwhile, it is checked again.
        while true {
            let (state, line) = engine.read { ($0.state, $0.line) }
            switch state {
            case .ended(.cancelled) where line.handedOver == 0: return
            case .running, .cancelling, .ended:
                throw PipelineError.refused(.alreadyStarted, pipeline: name)
            case .ready: break
            }
            let errors = errors(in: line.steps, wanted: wanted)
            if !errors.isEmpty { throw PipelineError.checkFailed(errors, pipeline: name) }
            let calendar = PipelineCalendar(options.clock)
            let next = send { $0.start(version: line.version, calendar, &$1) }
            if let next { return drive(next) }
        }
    }

    /// Stops the pipeline: the current step is cancelled, and no later one runs.
    ///
    /// True if this came first: then no success or failure callback ever comes. A body that runs is told and runs to
    /// its end, in the state ``PipelineState/cancelling``; otherwise the pipeline has ended on return. False if the pipeline
    /// has ended, or was cancelled before: then its outcome stands and its callbacks come, but on the queue that this
    /// is called on none begins once it has returned.
    @discardableResult
    public func cancel(_ reason: CancellationReason = .requested) -> Bool {
        let calendar = PipelineCalendar(options.clock)
        return send { $0.cancel(reason, calendar, &$1) }
    }

    func stepWasCancelled(_ step: StepOperation) {
        send { $0.stepWasCancelled(step, &$1) }
    }

    func stepReported(_ step: StepOperation, attempt: UInt32, _ progress: StepProgress) {
        send { $0.stepReported(step, attempt: attempt, progress, &$1) }
    }
}
