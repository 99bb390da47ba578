import SteplineEngine
import SteplineSupport

extension Pipeline {
    /// Makes an unstarted pipeline with copies of all steps, the same name, options and first bag, and a new id.
    ///
    /// Works in whatever state this one is, and copies neither state nor results. With `withObservers` the
    /// callbacks still registered are registered with the copy too. Throws a ``PipelineError`` `.notCopyable`
    /// that names the step.
    public func copy(withObservers: Bool = false) throws -> Pipeline {
        let (steps, bag, callbacks) = engine.read { ($0.line.steps, $0.firstBag, $0.registered) }
        let copy = Pipeline(name, content: bag, options: options)
        let copies = try steps.enumerated().map { index, step in
            try copyStep(step, at: index, of: steps.count)
        }
        try copy.insert(copies, at: .last)
        if withObservers { copy.adopt(callbacks) }
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

    private func adopt(
        _ callbacks: [(Callbacks<PipelineEnd>.Registration, observer: PipelineObserver.Core?)]
    ) {
        for (callback, observer) in callbacks {
            if let observer {
                observer.observe(self)
            } else {
                register(callback)
            }
        }
    }
}
