import SteplineSupport

extension Pipeline {
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
            let (phase, steps, version) = machine.withLock { ($0.phase, $0.steps, $0.version) }
            switch phase {
            case .ended(.cancelled) where !hasStarted: return
            case .running, .ended: throw PipelineError.refused(.alreadyStarted, pipeline: name)
            case .ready: break
            }
            let errors = errors(in: steps, wanted: wanted)
            if !errors.isEmpty { throw PipelineError.checkFailed(errors, pipeline: name) }
            let moment = PipelineMoment(options.clock)
            let effects = machine.withLock { machine -> PipelineEffects? in
                guard case .ready = machine.phase, machine.version == version else { return nil }
                return machine.start(moment)
            }
            if let effects {
                drive(perform(effects))
                return
            }
        }
    }

    private var hasStarted: Bool { machine.withLock { $0.handedOver > 0 } }

    /// Stops the pipeline: the current step is cancelled, and no later one runs.
    ///
    /// Once this has returned, no success or failure callback starts. A body that runs is told and runs to its
    /// end, in the state ``State/cancelling``; otherwise the pipeline has ended on return. May be called at any
    /// time, any number of times; on an ended pipeline it only withdraws callbacks that have not begun.
    public func cancel(reason: String? = nil) {
        cancel(.requested(reason))
    }

    func cancel(_ reason: CancellationReason) {
        let moment = PipelineMoment(options.clock)
        perform(machine.withLock { $0.cancel(reason, moment) })
    }

    func stepWasCancelled(_ step: StepOperation) {
        let time = options.clock.uptime
        perform(machine.withLock { $0.stepWasCancelled(step, at: time) })
    }

    func stepReported(_ step: StepOperation, attempt: Int, _ progress: StepProgress) {
        let time = options.clock.uptime
        perform(machine.withLock { $0.stepReported(step, attempt: attempt, progress, at: time) })
    }
}
