@_exported public import SteplineJSON
@_exported public import SteplineManager
@_exported public import SteplinePipeline
@_exported public import SteplineReports
@_exported public import SteplineRequests
@_exported public import SteplineSteps
@_exported public import SteplineSupport
@_exported public import SteplineWorkflow
@_exported public import SteplineXML

// Outside Apple's systems URLRequest and HTTPURLResponse, which interceptors and transports handle, have a module of
// their own.
#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif
