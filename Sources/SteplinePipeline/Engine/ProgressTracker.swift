/// How far a pipeline is, by its steps' weights and what they report.
struct ProgressTracker {
    enum Change {
        /// The part that is done, from 0 to just under 1; nil while nothing is known.
        case fraction(Double?)
        case complete
    }

    private var doneWeight = 0.0
    private var totalWeight = 0.0
    private var totalVersion = -1
    private var currentFraction = 0.0
    private var isUnknown = false

    mutating func stepEnded(weight: Double) {
        doneWeight += max(weight, 0)
        currentFraction = 0
        isUnknown = false
    }

    mutating func stepReported(_ progress: StepProgress) {
        guard let fraction = progress.fraction, fraction.isFinite else {
            isUnknown = true
            return
        }
        isUnknown = false
        currentFraction = max(currentFraction, min(max(fraction, 0), 1))
    }

    /// Whether the sum of the weights is out of date.
    func needsTotal(for version: Int) -> Bool { totalVersion != version }

    mutating func setTotal(_ weight: Double, for version: Int) {
        totalWeight = weight
        totalVersion = version
    }

    func change(currentWeight: Double) -> Change {
        guard totalWeight > 0 else { return .fraction(0) }
        let fraction = (doneWeight + max(currentWeight, 0) * currentFraction) / totalWeight
        return .fraction(isUnknown && fraction == 0 ? nil : min(fraction, 1))
    }
}

extension PipelineState {
    mutating func trackEnd(of step: StepOperation, _ effects: inout PipelineEffects) {
        effects.also.progress = track(currentWeight: 0) { $0.stepEnded(weight: step.weight) }
    }

    /// Notes something in the tracker, if there is one.
    private mutating func track(
        currentWeight: Double, _ note: (inout ProgressTracker) -> Void
    ) -> ProgressTracker.Change? {
        guard var tracker = progress else { return nil }
        if tracker.needsTotal(for: version) {
            tracker.setTotal(steps.reduce(0) { $0 + max($1.weight, 0) }, for: version)
        }
        note(&tracker)
        progress = tracker
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
        effects.also.progress = track(currentWeight: step.weight) { $0.stepReported(told) }
        emit(at: time, &effects, isReplaceable: true) {
            .progressed(
                $0.position(of: $0.handedOver - 1), fraction: told.fraction, completed: told.completed,
                total: told.total
            )
        }
        return effects
    }
}

extension PipelineState {
    /// Begins to follow the progress, from wherever the pipeline is.
    mutating func beginTracking() -> ProgressTracker.Change {
        if hasSucceeded { return .complete }
        guard progress == nil else { return track(currentWeight: 0) { _ in } ?? .fraction(0) }
        var tracker = ProgressTracker()
        let running = if case .nothing = activity { false } else { true }
        for step in steps.prefix(running ? max(handedOver - 1, 0) : handedOver) {
            tracker.stepEnded(weight: step.weight)
        }
        progress = tracker
        return track(currentWeight: 0) { _ in } ?? .fraction(0)
    }
}
