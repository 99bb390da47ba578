@_exported public import SteplineSupport
