import SteplineEngine
import SteplineSupport

extension AnyPipeline {
    /// Adds copies of all steps, and optionally the registered callbacks, to a new pipeline, and returns that pipeline.
    ///
    /// Steps that a builder could not add are missing in the copy too, and prevent its start.
    func fill<Copy: AnyPipeline>(_ copy: Copy, withCallbacks: Bool) throws -> Copy {
        // A single reading, so steps and callbacks belong to the same state.
        let (line, callbacks) = engine.read { ($0.line, $0.registered) }
        let steps = line.steps
        let copies = try steps.enumerated().map { index, step in
            try copyStep(step, at: index, of: steps.count)
        }
        // The copy isn't running, so its steps are checked at its start.
        try copy.insert(copies, at: .last)
        for issue in line.refused { copy.send { machine, _ in machine.refuse(issue) } }
        if withCallbacks { copy.adopt(callbacks) }
        return copy
    }

    private func copyStep(_ step: any Step, at index: Int, of count: Int) throws -> any Step {
        let position = StepPosition(of: step, index: index, count: count)
        do {
            let copy = try step.makeCopy()
            // An inherited `makeCopy` returns the superclass: that copy would lose the subclass's behavior.
            guard type(of: copy) == type(of: step), copy !== step else {
                throw PipelineError.notCopyable(type(of: step))
            }
            copy.takeOptions(of: step)
            return copy
        } catch let error as PipelineError {
            var error = error
            error.pipeline = name
            error.step = position
            throw error
        } catch {
            throw PipelineError.stepFailed(error, pipeline: name, step: step, at: position, attempt: 0)
        }
    }

    private func adopt(_ callbacks: [Callbacks<PipelineEnd>.Registration]) {
        for callback in callbacks {
            if let observer = callback.observer as? PipelineObserver.Core {
                observer.observe(self)
            } else {
                register(callback)
            }
        }
    }
}
