import SteplineEngine
import SteplineSupport

/// The machine's state that ``AnyPipeline/explain()`` describes.
struct PipelineStatus {
    let state: PipelineState
    let line: StepLine
    let life: StepLife
    let cancelReason: CancellationReason?
}
