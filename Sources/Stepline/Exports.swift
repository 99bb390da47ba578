@_exported public import SteplinePipeline
@_exported public import SteplineSteps
@_exported public import SteplineSupport
@_exported public import SteplineWorkflow
