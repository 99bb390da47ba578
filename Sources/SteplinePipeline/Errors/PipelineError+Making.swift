import SteplineSupport

extension PipelineError {
    static func missingInput(_ key: AnyContentKey) -> PipelineError {
        var error = PipelineError(.missingInput, "there is no \"\(key.name)\" (\(key.valueType) is expected)")
        error.inputs = [key]
        return error
    }

    static func typeMismatch(_ key: AnyContentKey, found: Any.Type) -> PipelineError {
        var error = PipelineError(
            .typeMismatch, "\"\(key.name)\" is of type \(found), but \(key.valueType) is expected"
        )
        error.inputs = [key]
        return error
    }

    /// Returns the error of a pipeline whose final content lacks the output, or has it with another type.
    static func lacksOutput(_ key: AnyContentKey, as cause: any Error, pipeline: String) -> PipelineError {
        let found = (cause as? PipelineError)?.detail ?? ErrorText.line(cause)
        let code = (cause as? PipelineError)?.code ?? .missingInput
        var error = PipelineError(code, "it is to make \(key.valueType), but at its end \(found)")
        error.pipeline = pipeline
        error.outputs = [key]
        return error
    }

    static func notImplemented(_ type: StepOperation.Type, _ member: String) -> PipelineError {
        PipelineError(.notImplemented, "\(type) does not override \(member)")
    }

    static func notCopyable(_ type: StepOperation.Type) -> PipelineError {
        PipelineError(.notCopyable, "\(type) can't be copied: it does not override makeCopy()")
    }

    /// Returns the error that a pipeline delivers for a failed step.
    ///
    /// An error created by the library keeps its code and doesn't become its own cause.
    static func stepFailed(
        _ cause: any Error, pipeline: String, step: StepOperation, at position: StepPosition?, attempt: Int
    ) -> PipelineError {
        var error: PipelineError
        // An error with a pipeline's name comes from a nested pipeline: that error is a cause.
        if let own = cause as? PipelineError, own.pipeline.isEmpty, own.underlying == nil {
            error = own
        } else {
            error = PipelineError(.stepFailed, "")
            error.underlying = cause
        }
        error.pipeline = pipeline
        error.step = position
        // The declarations are user code, so errors are created without the lock.
        error.inputs = step.inputs
        error.outputs = step.outputs
        error.attempt = attempt
        return error
    }

    /// Returns the error with a pipeline's name, without a step.
    func inPipeline(_ name: String) -> PipelineError {
        var error = self
        error.pipeline = name
        return error
    }

    static func refused(_ code: Code, pipeline: String, step: StepPosition? = nil) -> PipelineError {
        let detail =
            switch code {
            case .stepInUse: "the step belongs to a pipeline already; add a copy of it"
            case .stepAlreadyRun: "the step has been started; a step runs once, so add a copy of it"
            case .unknownStep: "the step named is not one of this pipeline's"
            case .positionPassed: "the pipeline has already passed that place"
            case .alreadyStarted: "the pipeline has been started already; to run it again, copy it"
            case .ended: "the pipeline has ended, or is being cancelled"
            default: "\(code)"
            }
        var error = PipelineError(code, detail)
        error.pipeline = pipeline
        error.step = step
        return error
    }

    static func checkFailed(_ issues: [CheckIssue], pipeline: String) -> PipelineError {
        var error = PipelineError(.checkFailed, "the check failed, nothing was run")
        error.pipeline = pipeline
        error.issues = issues
        return error
    }
}
