public import Foundation
import SteplineEngine
import SteplineSupport

extension AnyPipeline {
    /// How far the pipeline is, by its steps' weights and what they report of themselves.
    ///
    /// It never runs back and is complete only at success; while nothing is known it is indeterminate.
    /// Cancelling it cancels the pipeline. Costs nothing unless asked for.
    public var progress: Progress {
        if let view = engine.read({ $0.progressView }) { return view }
        let view = PipelineProgress(of: self)
        return send { $0.beginTracking(shownBy: view, &$1) }
    }
}
