public import Dispatch
import SteplineEngine
public import SteplineSupport

extension AnyPipeline {
    /// The progress along the steps, from one moment.
    ///
    /// Reports of bodies count if `progress` or `onProgress` was used before them.
    public var stepProgress: PipelineStepProgress { engine.read { $0.stepProgress } }

    /// Calls `body` with the newest progress after each change, the last time at the end of the pipeline.
    ///
    ///     pipeline.onProgress(on: .main, for: self) { self.bar.value = $0.fraction ?? 0 }
    ///
    /// A slow place skips values; the calls come one after the other.
    ///
    /// - Parameters:
    ///   - queue: The queue of the call; nil for a thread of Swift's pool, which `body` must not block.
    ///   - owner: An identity for ``removeCallbacks(of:)``, which isn't retained.
    ///   - body: The callback.
    /// - Returns: A subscription whose cancellation ends the calls.
    @discardableResult
    @_disfavoredOverload
    public func onProgress(
        on queue: DispatchQueue? = nil, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (PipelineStepProgress) -> Void
    ) -> Subscription {
        listenToProgress(CallbackPlace(queue), owner, body)
    }

    /// Calls `body` with the newest progress on the main actor; see the variant for queues.
    @discardableResult
    public func onProgress(
        on place: MainPlace, for owner: AnyObject? = nil,
        _ body: @escaping @MainActor @Sendable (PipelineStepProgress) -> Void
    ) -> Subscription {
        listenToProgress(CallbackPlace(place), owner, CallbackPlace.isolated(body))
    }

    /// Calls `body` with the actor and the newest progress on that actor; see the variant for queues.
    @discardableResult
    public func onProgress<Place: Actor>(
        on actor: Place, for owner: AnyObject? = nil,
        _ body: @escaping @Sendable (isolated Place, PipelineStepProgress) -> Void
    ) -> Subscription {
        listenToProgress(.actor(actor), owner, CallbackPlace.isolated(to: actor, body))
    }

    private func listenToProgress(
        _ place: CallbackPlace, _ owner: AnyObject?,
        _ body: @escaping @Sendable (PipelineStepProgress) -> Void
    ) -> Subscription {
        // The last call may come after the end, when the machine has released the values.
        let kept = Locked<PropagatedValues?>(nil)
        let listener = ProgressListener(
            place, owner,
            reading: { [weak self] in
                // No call begins after `cancel()` has returned on the queue of the calls.
                guard let self, !isCancelled else { return nil }
                return stepProgress
            },
            with: { [weak self] in
                let values = self?.engine.read { $0.values }
                return kept.withLock { kept in
                    if let values { kept = values }
                    return kept
                }
            }, body)
        // The object tracks the reports of bodies, and holds the listeners.
        let view = progressView
        view.listeners.withLock { $0.append(listener) }
        // Listed before the first event: ``removeCallbacks(of:)`` finds the listener from now on.
        let events = EventStream<PipelineEvent>()
        send { $0.add(events, &$1) }
        listener.follow(events)
        return Subscription {
            listener.end()
            view.listeners.withLock { $0.removeAll { $0 === listener } }
        }
    }

    func removeProgressListeners(of owner: AnyObject) {
        guard let view = engine.read({ $0.progressView }) else { return }
        // Ended without the lock: `end()` resumes the task that reads the events.
        for listener in view.listeners.withLock({ $0.take(of: owner) }) { listener.end() }
    }
}

extension PipelineMachine {
    /// The progress along the steps.
    var stepProgress: PipelineStepProgress {
        let line = line
        let hasSucceeded = outcome?.isSuccess == true
        // The step that was handed over last runs, or has ended the pipeline.
        let done = hasSucceeded ? line.dispatched : max(line.dispatched - 1, 0)
        let count = line.steps.count
        let fraction: Double? =
            switch progressUnits {
            case ProgressTracker.unknown?: nil
            case let units?: Double(units) / Double(ProgressTracker.whole)
            // Untracked: all steps count equally, and reports of bodies don't count.
            case nil: count > 0 ? Double(done) / Double(count) : 0
            }
        return PipelineStepProgress(
            done: done, count: count, current: isRunning ? line.currentPosition?.name : nil,
            fraction: fraction)
    }
}
