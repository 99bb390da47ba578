public import Foundation
import SteplineSupport

extension Pipeline {
    /// How far the pipeline is, by its steps' weights and what they report of themselves.
    ///
    /// It never runs back and is complete only at success; while nothing is known it is indeterminate.
    /// Cancelling it cancels the pipeline. Costs nothing unless asked for.
    public var progress: Progress {
        let view = machine.withLock { $0.progress?.view } ?? PipelineProgress(of: self)
        let (shown, effects) = machine.withLock { $0.beginTracking(shownBy: view) }
        perform(effects)
        return shown
    }
}
