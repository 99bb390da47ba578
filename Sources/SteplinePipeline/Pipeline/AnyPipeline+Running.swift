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

    // MARK: Awaiting

    /// Starts the pipeline, waits for its end, and returns the last bag.
    ///
    /// Throws what ``start()`` throws, the ``PipelineError`` that it failed with, or `CancellationError`.
    /// Cancelling the Swift task that waits cancels the pipeline. It takes nothing; the parameter is for the compiler alone,
    /// which without it takes a mistake in the steps of `Pipeline.run { … }` for one in a call of this.
    @_disfavoredOverload
    @discardableResult
    public func run(_ nothing: Never...) async throws -> Content {
        try await runToEnd(wanting: nil)
    }

    /// Starts the pipeline, waits, and returns what the last step made.
    ///
    /// That the last step can make this type is part of the check. Throws as ``run(_:)`` does.
    public func run<Value: Sendable>(returning type: Value.Type) async throws -> Value {
        let wanted = ContentKey<Value>("output").erased
        try await runToEnd(wanting: wanted)
        if let value = output as? Value { return value }
        if Value.self == Void.self, let nothing = () as? Value { return nothing }
        if let optional = Value.self as? any OptionalValue.Type, output == nil,
            let absent = optional.absent as? Value
        {
            return absent
        }
        throw output.map { PipelineError.typeMismatch(wanted, found: Swift.type(of: $0)).inPipeline(name) }
            ?? PipelineError.missingInput(wanted).inPipeline(name)
    }

    /// Starts the pipeline, waits, and returns an entry of the last bag.
    ///
    /// Throws as ``run(_:)`` does, and if there is no such entry.
    public func run<Value>(returning key: ContentKey<Value>) async throws -> Value {
        let bag = try await runToEnd(wanting: nil)
        do {
            return try bag.value(for: key)
        } catch let error as PipelineError {
            throw error.inPipeline(name)
        }
    }

    /// Waits for the end, however it comes; any number may, before, during and after the run.
    ///
    /// A success carries the last bag. Returns after the callbacks that have no queue of their own, none of which may
    /// therefore block until it does. Does not start the pipeline. Cancelling the Swift task that waits has no effect
    /// on it.
    @_disfavoredOverload
    public func outcome() async -> Outcome<Content> {
        await bagOutcome()
    }

    func bagOutcome() async -> Outcome<Content> {
        defer { engine.comeBehind() }
        return await withCheckedContinuation { continuation in
            send { $0.add(OutcomeWaiter(continuation), &$1) }
        }
    }

    @discardableResult
    func runToEnd(wanting wanted: AnyContentKey?) async throws -> Content {
        send { machine, _ in machine.runnerCame() }
        defer { send { machine, _ in machine.runnerLeft() } }
        // A run that was cancelled before it began must neither start the pipeline nor touch another's run.
        if Task.isCancelled {
            let calendar = PipelineCalendar(options.clock)
            send { $0.cancelUnlessStarted(.awaitingTask, calendar, &$1) }
        }
        try start(wanting: wanted)
        return try await withTaskCancellationHandler {
            await bagOutcome()
        } onCancel: {
            cancel(.awaitingTask)
        }.get()
    }
}
