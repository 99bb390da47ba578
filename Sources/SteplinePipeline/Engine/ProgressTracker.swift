/// How far a pipeline is, by its steps' weights and what they report.
///
/// An object, so that a pipeline whose progress nobody asks for has no more than room for a reference; it
/// belongs to the machine's state, and is touched only under its lock.
final class ProgressTracker {
    enum Change {
        /// The part that is done, from 0 to just under 1; nil while nothing is known.
        case fraction(Double?)
        case complete
    }

    let view: PipelineProgress
    private var doneWeight = 0.0
    private var totalWeight = 0.0
    private var totalVersion: UInt32?
    private var currentFraction = 0.0
    private var isUnknown = false

    init(view: PipelineProgress) { self.view = view }

    func stepEnded(weight: Double) {
        doneWeight += weight
        currentFraction = 0
        isUnknown = false
    }

    func stepReported(_ progress: StepProgress) {
        guard let fraction = progress.fraction else {
            isUnknown = true
            return
        }
        isUnknown = false
        currentFraction = max(currentFraction, fraction)
    }

    /// Whether the sum of the weights is out of date.
    func needsTotal(for version: UInt32) -> Bool { totalVersion != version }

    func setTotal(_ weight: Double, for version: UInt32) {
        totalWeight = weight
        totalVersion = version
    }

    func change(currentWeight: Double) -> Change {
        guard totalWeight > 0 else { return .fraction(0) }
        let fraction = (doneWeight + currentWeight * currentFraction) / totalWeight
        return .fraction(isUnknown && fraction == 0 ? nil : min(fraction, 1))
    }
}
