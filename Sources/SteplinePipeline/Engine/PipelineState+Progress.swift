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
        count(in: progress, currentWeight: currentWeight)
        show(progress, &effects)
    }

    /// Shows what is known before anybody else can learn of it, where that calls nobody.
    private func show(_ progress: ProgressTracker, _ effects: inout PipelineEffects) {
        if PipelineProgress.isObservable {
            effects.also.progress = (progress.view, progress.units)
        } else {
            progress.view.show(progress.units)
        }
    }

    private func count(in tracker: ProgressTracker, currentWeight: Double) {
        if tracker.needsTotal(for: version) {
            tracker.setTotal(steps.reduce(0) { $0 + $1.weight }, for: version)
        }
        tracker.count(currentWeight: currentWeight)
    }

    func trackSuccess(_ effects: inout PipelineEffects) {
        guard let progress else { return }
        progress.succeeded()
        show(progress, &effects)
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
    ) -> (PipelineProgress, PipelineEffects) {
        var effects = PipelineEffects()
        let tracker = progress ?? ProgressTracker(view: view)
        if progress == nil {
            let isInStep = if case .nothing = activity { false } else { true }
            for step in steps.prefix(isInStep ? handedOver - 1 : handedOver) {
                tracker.stepEnded(weight: step.weight)
            }
            progress = tracker
        }
        if hasSucceeded { tracker.succeeded() } else { count(in: tracker, currentWeight: 0) }
        show(tracker, &effects)
        return (tracker.view, effects)
    }
}
