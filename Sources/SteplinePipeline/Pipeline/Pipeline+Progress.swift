public import Foundation
import SteplineSupport

extension Pipeline {
    /// How far the pipeline is, by its steps' weights and what they report of themselves.
    ///
    /// It never runs back and is complete only at success; while nothing is known it is indeterminate.
    /// Cancelling it cancels the pipeline. Costs nothing unless asked for.
    public var progress: Progress {
        let view = machine.withLock { $0.progress?.view } ?? PipelineProgress(cancelling: self)
        let (shown, change) = machine.withLock { $0.beginTracking(shownBy: view) }
        shown.show(change)
        return shown.progress
    }
}

/// The Foundation object that shows a pipeline's progress.
final class PipelineProgress: @unchecked Sendable {  // `Progress` locks by itself, `shown` is locked
    /// What counts as a whole: fine enough for a bar, and a fraction of it is exact.
    private static let whole: Int64 = 1_000_000

    let progress: Progress
    private let shown = Locked(Int64(-1))

    init(cancelling pipeline: Pipeline) {
        progress = Progress(parent: nil, userInfo: nil)
        progress.totalUnitCount = Self.whole
        progress.cancellationHandler = { [weak pipeline] in pipeline?.cancel(reason: "progress cancelled") }
    }

    /// Shows a change, unless a later one has been shown.
    func show(_ change: ProgressTracker.Change) {
        let units =
            switch change {
            case .complete: Self.whole
            // The last unit is kept for the success of the whole.
            case .fraction(let fraction?): min(Int64(fraction * Double(Self.whole)), Self.whole - 1)
            case .fraction(nil): Int64(-1)
            }
        shown.withLock { shown in
            guard units > shown || shown <= 0 else { return }
            shown = units
            progress.totalUnitCount = units < 0 ? -1 : Self.whole
            progress.completedUnitCount = max(units, 0)
        }
    }
}
