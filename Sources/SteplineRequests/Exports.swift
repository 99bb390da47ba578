@_exported public import SteplineManager
