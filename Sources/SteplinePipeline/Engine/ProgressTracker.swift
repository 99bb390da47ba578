/// How far a pipeline is, by its steps' weights and what they report.
///
/// An object, so that a pipeline whose progress nobody asks for has no more than room for a reference; it
/// belongs to the machine's state, and is touched only under its lock.
final class ProgressTracker {
    /// What counts as a whole: fine enough for a bar, and a fraction of it is exact.
    static let whole: Int64 = 1_000_000
    static let unknown: Int64 = -1

    let view: PipelineProgress
    /// How much of the whole is done, never less than before; ``unknown`` while nothing is known.
    private(set) var units = ProgressTracker.unknown
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

    /// Counts what is done; the last unit is kept for the success of the whole.
    func count(currentWeight: Double) {
        guard totalWeight > 0 else { return become(0) }
        let fraction = (doneWeight + currentWeight * currentFraction) / totalWeight
        if isUnknown && fraction == 0 { return become(Self.unknown) }
        become(min(Int64(min(fraction, 1) * Double(Self.whole)), Self.whole - 1))
    }

    func succeeded() { become(Self.whole) }

    /// What is known may get lost again only while nothing is done.
    private func become(_ units: Int64) {
        if units > self.units || self.units <= 0 { self.units = units }
    }
}
