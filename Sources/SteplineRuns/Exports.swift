@_exported public import SteplineWorkflow
