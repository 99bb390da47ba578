import SteplineEngine
import SteplineSupport

extension PipelineRun {
    /// Handles a body's progress report.
    mutating func stepReported(
        _ step: StepOperation, attempt number: UInt32, _ report: StepProgress,
        _ turn: inout PipelineTurn
    ) {
        // Drop reports of an old attempt.
        guard line.isCurrent(step), life.isRunning(number) else { return }
        progress?.stepReported(report, step, along: line, &turn)
        log.emit(
            .progressed(
                line.position(of: line.dispatched - 1), fraction: report.fraction,
                completed: report.completed,
                total: report.total
            ), isReplaceable: true, &turn
        )
    }

    /// Starts tracking the progress at the current position, and returns the object that shows it: the first one wins.
    mutating func beginTracking(
        shownBy view: PipelineProgress, hasSucceeded: Bool, isInStep: Bool,
        _ turn: inout PipelineTurn
    ) -> PipelineProgress {
        if let progress { return progress.view }
        let tracker = ProgressTracker(view: view, along: line, isInStep: isInStep)
        progress = tracker
        if hasSucceeded { tracker.succeeded(&turn) } else { tracker.count(along: line, &turn) }
        return view
    }
}
