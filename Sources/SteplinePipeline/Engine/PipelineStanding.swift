import SteplineEngine
import SteplineSupport

/// What a pipeline waits for, in terms of its machine.
struct PipelineStanding {
    let state: PipelineState
    let line: StepLine
    let life: StepLife
    let cancelReason: CancellationReason?
}
