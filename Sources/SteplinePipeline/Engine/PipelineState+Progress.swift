extension PipelineState {
    func trackEnd(of step: StepOperation, _ effects: inout PipelineEffects) {
        track(currentWeight: 0, &effects) { $0.stepEnded(weight: step.weight) }
    }

    /// Notes something in the tracker, if there is one.
    private func track(
        currentWeight: Double, _ effects: inout PipelineEffects, _ note: (ProgressTracker) -> Void
    ) {
        guard let progress else { return }
        note(progress)
        effects.also.progress = (progress.view, change(of: progress, currentWeight: currentWeight))
    }

    private func change(of tracker: ProgressTracker, currentWeight: Double) -> ProgressTracker.Change {
        if tracker.needsTotal(for: version) {
            tracker.setTotal(steps.reduce(0) { $0 + $1.weight }, for: version)
        }
        return tracker.change(currentWeight: currentWeight)
    }

    /// A body has told of its progress.
    mutating func stepReported(
        _ step: StepOperation, attempt reported: Int, _ told: StepProgress, at time: Duration
    ) -> PipelineEffects {
        var effects = PipelineEffects()
        guard case .running = phase, case .body = activity, isCurrent(step), reported == attempt else {
            return effects
        }
        track(currentWeight: step.weight, &effects) { $0.stepReported(told) }
        emit(at: time, &effects, isReplaceable: true) {
            .progressed(
                $0.position(of: $0.handedOver - 1), fraction: told.fraction, completed: told.completed,
                total: told.total
            )
        }
        return effects
    }

    /// Begins to follow the progress, from wherever the pipeline is; who came first is who shows it.
    mutating func beginTracking(
        shownBy view: PipelineProgress
    ) -> (PipelineProgress, ProgressTracker.Change) {
        let tracker = progress ?? ProgressTracker(view: view)
        if progress == nil {
            let isInStep = if case .nothing = activity { false } else { true }
            for step in steps.prefix(isInStep ? handedOver - 1 : handedOver) {
                tracker.stepEnded(weight: step.weight)
            }
            progress = tracker
        }
        return (tracker.view, hasSucceeded ? .complete : change(of: tracker, currentWeight: 0))
    }
}
