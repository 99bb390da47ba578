import SteplineEngine
import SteplineSupport

extension AnyPipeline {
    /// Everything that happens from now on, in one order; the stream finishes after `ended`.
    ///
    /// It also finishes when the pipeline is released without having been started. Each use of this property is a
    /// reader of its own, which joins at that moment; after the end it gets the `ended` event alone. Only progress is
    /// coalesced while a reader lags. Without readers no event is made.
    public var events: some AsyncSequence<PipelineEvent, Never> & Sendable {
        let stream = EventStream<PipelineEvent>()
        send { $0.add(stream, &$1) }
        return stream
    }
}
