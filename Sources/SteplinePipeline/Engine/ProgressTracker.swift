import SteplineEngine

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

    /// Follows a line of steps from where it is.
    init(view: PipelineProgress, along line: StepLine, isInStep: Bool) {
        self.view = view
        let ended = line.steps.prefix(isInStep ? max(line.handedOver - 1, 0) : line.handedOver)
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
        if let fraction = progress.fraction { currentFraction = max(currentFraction, fraction) }
        count(along: line, currentWeight: step.weight, &turn)
    }

    /// Counts what is done; the last unit is kept for the success of the whole.
    func count(along line: StepLine, currentWeight: Double = 0, _ turn: inout PipelineTurn) {
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
        if isUnknown && fraction == 0 { return Self.unknown }
        return min(Int64(min(fraction, 1) * Double(Self.whole)), Self.whole - 1)
    }

    func succeeded(_ turn: inout PipelineTurn) {
        become(Self.whole)
        show(&turn)
    }

    /// Shows what is known before anybody else can learn of it, where that calls nobody.
    private func show(_ turn: inout PipelineTurn) {
        if PipelineProgress.isObservable {
            turn.order(.show(view, units: units))
        } else {
            view.show(units)
        }
    }

    /// What is known may get lost again only while nothing is done.
    private func become(_ units: Int64) {
        if units > self.units || self.units <= 0 { self.units = units }
    }
}
