public import Foundation
import SteplineEngine
import SteplineSupport

extension AnyPipeline {
    /// The state of the pipeline.
    ///
    /// All properties of an ended pipeline change at the same moment.
    public var state: PipelineState { engine.read { $0.state } }

    /// Whether the pipeline was started and hasn't ended.
    public var isExecuting: Bool { engine.read { $0.isRunning } }

    /// Whether the pipeline has ended.
    public var isFinished: Bool { engine.read { $0.outcome != nil } }

    /// Whether the pipeline was cancelled, even if a body still runs.
    public var isCancelled: Bool {
        switch state {
        case .cancelling, .ended(.cancelled): true
        case .ready, .running, .ended: false
        }
    }

    /// The current steps in order.
    public var steps: [any Step] { engine.read { $0.line.steps } }

    /// The content that the latest ended step left; nil before the first end.
    public var content: Content? { engine.read { $0.content } }

    /// The output of the last step, under any key; nil until the pipeline has succeeded.
    ///
    /// For a step that replaces the whole content, this is the object, or else the bytes.
    public var output: (any Sendable)? {
        let (outcome, line) = engine.read { ($0.outcome, $0.line) }
        // A pipeline that succeeded has handed over all steps: the current one is the last one.
        guard let bag = outcome?.value, let step = line.current?.step else { return nil }
        return bag.output(of: step)
    }

    /// The error of a failed pipeline.
    public var error: PipelineError? { engine.read { $0.outcome }?.error as? PipelineError }

    /// The progress of the pipeline, from its steps' weights and reports.
    ///
    /// The progress never decreases and completes only at success. It is indeterminate until the first known value.
    /// Cancelling the object cancels the pipeline. A pipeline without a progress object has no cost.
    ///
    /// Concurrent pipelines can be children of one parent. On Linux, where Foundation's object has no lock, add the
    /// children before starting the pipelines.
    public var progress: Progress { progressView }

    /// The object that shows the progress, created on demand.
    var progressView: PipelineProgress {
        // Two threads may both create an object: the machine keeps the first one and returns it to both.
        if let view = engine.read({ $0.progressView }) { return view }
        let view = PipelineProgress(
            asking: { [weak self] in self?.engine.read { $0.progressUnits } },
            cancelling: { [weak self] in self?.cancel("progress cancelled") })
        return send { $0.beginTracking(shownBy: view, &$1) }
    }

    /// The events from now on, in order; the stream finishes after `ended`.
    ///
    /// The stream also finishes when an unstarted pipeline is freed. Each use of this property adds a reader, which
    /// receives later events only. After the end a reader receives the `ended` event alone. For a slow reader, only
    /// progress events are coalesced. Without readers no event is created.
    public var events: some AsyncSequence<PipelineEvent, Never> & Sendable {
        let stream = EventStream<PipelineEvent>()
        send { $0.add(stream, &$1) }
        return stream
    }
}

extension AnyPipeline: CustomStringConvertible {
    /// The name, the id, the number of steps and the state.
    public var description: String {
        let (count, state) = engine.read { ($0.line.steps.count, $0.state) }
        return "Pipeline \"\(name)\" (id \(id), \(count) step\(count == 1 ? "" : "s"), \(state))"
    }
}

extension Content {
    /// Returns a step's output, found by its declared keys; nil if the step declares none.
    fileprivate func output(of step: any Step) -> (any Sendable)? {
        guard let key = step.outputs.first else { return nil }
        let made = key.slot == .wholeBag ? bodyObject ?? bodyData : storedValue(key.slot, key.name)
        return made is NSNull ? nil : made
    }
}
