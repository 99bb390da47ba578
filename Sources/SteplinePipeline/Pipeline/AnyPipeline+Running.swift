import SteplineEngine
public import SteplineSupport
import Synchronization

extension AnyPipeline {
    /// Starts the pipeline and returns at once; no step runs on the caller's stack.
    ///
    /// A pipeline that was cancelled before its start stays cancelled, and this method does nothing.
    ///
    /// - Throws: A ``PipelineError``. `.checkFailed` with all errors of ``check()``: no step has run, and the pipeline
    ///   can be corrected and started. `.alreadyStarted` for a second start; ``run(_:)`` joins instead.
    public func start() throws {
        guard try start(wanting: nil, at: .callersStack) else {
            throw PipelineError.refused(.alreadyStarted, pipeline: name)
        }
    }

    /// Starts the pipeline; returns false if it was started before.
    private func start(wanting expected: AnyContentKey?, at place: PipelinePlace) throws -> Bool {
        // Declarations of steps are read without the lock. If the line changes meanwhile, check again.
        while true {
            let (state, line) = engine.read { ($0.state, $0.line) }
            switch state {
            // Cancelled before its start: `run` then returns the cancellation as the outcome.
            case .ended(.cancelled) where line.dispatched == 0: return true
            case .running, .cancelling, .ended: return false
            case .ready: break
            }
            let errors = errors(in: line.steps, expected: expected)
            if !errors.isEmpty { throw PipelineError.checkFailed(errors, pipeline: name) }
            // Read the user's clock before taking the lock.
            let calendar = PipelineCalendar(options.clock)
            let values = PropagatedValues.current
            if values != nil { hasValues.store(true, ordering: .relaxed) }
            let next = send { $0.start(version: line.version, calendar, values: values, at: place, &$1) }
            // Nil: the line changed, or another thread started or cancelled the pipeline. Look again.
            if let next {
                drive(next, at: place)
                return true
            }
        }
    }

    /// Cancels the pipeline: the current step is cancelled and no later step runs.
    ///
    /// A running body is notified and runs to its end, in the state ``PipelineState/cancelling``. The pipeline waits
    /// for this body at most for ``PipelineOptions/grace``, and no longer than its deadline. Without a running body the
    /// pipeline has ended on return.
    ///
    /// - Parameter reason: The reason, which the outcome carries.
    /// - Returns: True if this call was the first: no success or failure callback will run. False if the pipeline had
    ///   ended or was being cancelled. Its outcome and its callbacks then stand, but no further callback begins on the
    ///   queue of this call.
    @discardableResult
    public func cancel(_ reason: CancellationReason = .requested) -> Bool {
        let calendar = PipelineCalendar(options.clock)
        return send { $0.cancel(reason, calendar, &$1) }
    }

    // MARK: Awaiting

    /// Starts or joins the pipeline, waits for its end, and returns the final content.
    ///
    /// If the pipeline was started before, this call waits for that run, or returns its outcome. No step runs twice;
    /// ``copy(content:withCallbacks:)`` runs the steps again. Cancelling the waiting Swift task cancels the pipeline.
    ///
    /// - Parameter nothing: Pass no argument. The parameter only directs the compiler: a mistake in the steps of
    ///   `Pipeline.run { … }` is then reported there.
    /// - Returns: The content that the last step left.
    /// - Throws: `.checkFailed` as ``start()`` does, the ``PipelineError`` of the failed pipeline, or
    ///   `CancellationError`.
    @_disfavoredOverload
    @discardableResult
    public func run(_ nothing: Never...) async throws -> Content {
        try await runToEnd(wanting: nil)
    }

    /// Starts or joins the pipeline, waits for its end, and returns the last step's output.
    ///
    /// - Parameter type: The expected type; the check verifies that the last step can have this output.
    /// - Returns: The output of the last step.
    /// - Throws: The errors of ``run(_:)``.
    public func run<Value: Sendable>(returning type: Value.Type) async throws -> Value {
        let expected = ContentKey<Value>("output").erased
        try await runToEnd(wanting: expected)
        if let value = output as? Value { return value }
        // A step without an output, and an absent Optional, still have a value of the expected type.
        if Value.self == Void.self, let nothing = () as? Value { return nothing }
        if let optional = Value.self as? any OptionalValue.Type, output == nil,
            let absent = optional.absent as? Value
        {
            return absent
        }
        throw output.map { PipelineError.typeMismatch(expected, found: Swift.type(of: $0)).inPipeline(name) }
            ?? PipelineError.missingInput(expected).inPipeline(name)
    }

    /// Starts or joins the pipeline, waits for its end, and returns an entry of the final content.
    ///
    /// - Parameter key: The key of the entry.
    /// - Returns: The entry.
    /// - Throws: The errors of ``run(_:)``, and an error if there is no such entry.
    public func run<Value>(returning key: ContentKey<Value>) async throws -> Value {
        let bag = try await runToEnd(wanting: nil)
        do {
            return try bag.value(for: key)
        } catch let error as PipelineError {
            throw error.inPipeline(name)
        }
    }

    /// Starts or joins the pipeline like ``run(_:)``, waits for its end, and returns the outcome.
    ///
    /// Any number of tasks can wait, before, during and after the run. The method returns after the callbacks that have
    /// no queue. Such a callback must not wait for this method, or both are blocked. Cancelling the waiting Swift task
    /// doesn't affect the pipeline.
    ///
    /// - Returns: The outcome; a success carries the final content. A failure with `.checkFailed` says why the pipeline
    ///   wasn't started.
    @_disfavoredOverload
    public func outcome() async -> Outcome<Content> {
        await startedOutcome()
    }

    func startedOutcome() async -> Outcome<Content> {
        do {
            _ = try start(wanting: nil, at: .ofRun)
        } catch {
            return .failure(error)
        }
        return await bagOutcome()
    }

    private func bagOutcome() async -> Outcome<Content> {
        // A continuation can resume before it is awaited: only this lock shows ThreadSanitizer the order.
        defer { engine.synchronize() }
        return await withCheckedContinuation { continuation in
            send { $0.add(OutcomeWaiter(continuation), &$1) }
        }
    }

    @discardableResult
    func runToEnd(wanting expected: AnyContentKey?) async throws -> Content {
        // A waiting `run()` counts as a listener for the result.
        send { machine, _ in machine.runnerCame() }
        defer { send { machine, _ in machine.runnerLeft() } }
        // A `run()` that was cancelled before it began must not start the pipeline, nor cancel another call's run.
        if Task.isCancelled {
            let calendar = PipelineCalendar(options.clock)
            send { $0.cancelUnlessStarted(.awaitingTask, calendar, &$1) }
            if isExecuting { throw CancellationError() }
        }
        // False: another call has started the pipeline, so this call waits for that run.
        _ = try start(wanting: expected, at: .ofRun)
        return try await withTaskCancellationHandler {
            await bagOutcome()
        } onCancel: {
            cancel(.awaitingTask)
        }.get()
    }
}
