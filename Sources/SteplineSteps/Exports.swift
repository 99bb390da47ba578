@_exported public import SteplineJSON
@_exported public import SteplinePipeline
@_exported public import SteplineRequests
@_exported public import SteplineXML
