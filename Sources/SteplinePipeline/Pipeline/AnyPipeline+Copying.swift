import SteplineEngine
import SteplineSupport

extension AnyPipeline {
    /// Gives a new pipeline copies of all steps, and, if wanted, the callbacks that are still registered; returns it.
    ///
    /// What a builder could not add is missing in the copy, too, and keeps it from being started.
    func fill<Copy: AnyPipeline>(_ copy: Copy, withCallbacks: Bool) throws -> Copy {
        let (line, callbacks) = engine.read { ($0.line, $0.registered) }
        let steps = line.steps
        let copies = try steps.enumerated().map { index, step in
            try copyStep(step, at: index, of: steps.count)
        }
        try copy.insert(copies, at: .last)
        for issue in line.refused { copy.send { machine, _ in machine.refuse(issue) } }
        if withCallbacks { copy.adopt(callbacks) }
        return copy
    }

    private func copyStep(_ step: any Step, at index: Int, of count: Int) throws -> any Step {
        let position = StepPosition(of: step, index: index, count: count)
        do {
            let copy = try step.makeCopy()
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
