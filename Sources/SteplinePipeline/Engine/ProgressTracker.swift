import SteplineEngine

/// The progress of a pipeline, from its steps' weights and reports.
///
/// The machine owns this object and uses it only under its lock. As an object, it costs an untracked pipeline only one
/// reference.
final class ProgressTracker {
    /// The units of a complete pipeline: enough for a progress bar, and fractions stay exact.
    static let whole: Int64 = 1_000_000
    static let unknown: Int64 = -1

    let view: PipelineProgress
    /// The completed units, which never decrease; ``unknown`` until the first known progress.
    private(set) var units = ProgressTracker.unknown
    private var doneWeight = 0.0
    private var totalWeight = 0.0
    private var totalVersion: UInt32?
    private var currentFraction = 0.0
    private var isUnknown = false

    /// Starts tracking at the line's current position.
    init(view: PipelineProgress, along line: StepLine, isInStep: Bool) {
        self.view = view
        // A current step that is still running hasn't completed its weight.
        let ended = line.steps.prefix(isInStep ? max(line.dispatched - 1, 0) : line.dispatched)
        doneWeight = ended.reduce(0) { $0 + $1.weight }
    }

    func stepEnded(_ step: StepOperation, along line: StepLine, _ turn: inout PipelineTurn) {
        doneWeight += step.weight
        currentFraction = 0
        isUnknown = false
        count(along: line, &turn)
    }

    func stepReported(
        _ progress: StepProgress, _ step: StepOperation, along line: StepLine,
        _ turn: inout PipelineTurn
    ) {
        isUnknown = progress.fraction == nil
        // A lower report than the previous one is ignored: progress never decreases.
        if let fraction = progress.fraction { currentFraction = max(currentFraction, fraction) }
        count(along: line, currentWeight: step.weight, &turn)
    }

    /// Computes the completed units; the last unit is reserved for the success of the pipeline.
    func count(along line: StepLine, currentWeight: Double = 0, _ turn: inout PipelineTurn) {
        // Steps were added or removed: the fraction may drop, but `become` keeps the units from decreasing.
        if totalVersion != line.version {
            totalWeight = line.steps.reduce(0) { $0 + $1.weight }
            totalVersion = line.version
        }
        become(unitsDone(currentWeight))
        show(&turn)
    }

    private func unitsDone(_ currentWeight: Double) -> Int64 {
        guard totalWeight > 0 else { return 0 }
        let fraction = (doneWeight + currentWeight * currentFraction) / totalWeight
        // An unknown total matters only before the first known progress.
        if isUnknown && fraction == 0 { return Self.unknown }
        return min(Int64(min(fraction, 1) * Double(Self.whole)), Self.whole - 1)
    }

    func succeeded(_ turn: inout PipelineTurn) {
        become(Self.whole)
        show(&turn)
    }

    /// Shows the units before they are visible elsewhere, if showing them calls no observer.
    private func show(_ turn: inout PipelineTurn) {
        // Observers are user code: show after unlock. Without observers, show under the lock.
        if PipelineProgress.isObservable {
            turn.order(.show(view, units: units))
        } else {
            view.show(units)
        }
    }

    /// Stores new units; only 0 and unknown may replace each other.
    private func become(_ units: Int64) {
        if units > self.units || self.units <= 0 { self.units = units }
    }
}
