/// How the steps of a pipeline know it without keeping it alive: one weak reference for all of them.
final class PipelineLink: @unchecked Sendable {  // set once, before anybody else sees it
    private(set) weak var pipeline: AnyPipeline?

    func point(to pipeline: AnyPipeline) { self.pipeline = pipeline }
}
