/// The weak reference to a pipeline that all its steps share.
final class PipelineLink: @unchecked Sendable {  // set once, before the link is shared
    private(set) weak var pipeline: AnyPipeline?

    func point(to pipeline: AnyPipeline) { self.pipeline = pipeline }
}
