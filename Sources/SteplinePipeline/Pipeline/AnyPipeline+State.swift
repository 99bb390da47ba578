public import Foundation
import SteplineEngine
import SteplineSupport

extension AnyPipeline {
    /// Where the pipeline stands.
    ///
    /// All that is told of an end changes in the same moment as this.
    public var state: PipelineState { engine.read { $0.state } }

    /// Whether it has been started and not ended.
    public var isExecuting: Bool { engine.read { $0.isRunning } }

    /// Whether it has ended.
    public var isFinished: Bool { engine.read { $0.outcome != nil } }

    /// Whether it was cancelled, also while a body still winds down.
    public var isCancelled: Bool {
        switch state {
        case .cancelling, .ended(.cancelled): true
        case .ready, .running, .ended: false
        }
    }

    /// The steps in order, as they are now.
    public var steps: [any Step] { engine.read { $0.line.steps } }

    /// The bag of the step that ended last; nil until the first has.
    public var content: Content? { engine.read { $0.content } }

    /// What the last step made, under whatever key; nil until the pipeline has succeeded.
    ///
    /// After a step that replaces the whole bag, its object, or else its bytes.
    public var output: (any Sendable)? {
        let (outcome, line) = engine.read { ($0.outcome, $0.line) }
        guard let bag = outcome?.value, let step = line.current?.step else { return nil }
        return bag.output(of: step)
    }

    /// What the pipeline failed with.
    public var error: PipelineError? { engine.read { $0.outcome }?.error as? PipelineError }

    /// How far the pipeline is, by its steps' weights and what they report of themselves.
    ///
    /// It never runs back and is complete only at success; while nothing is known it is indeterminate.
    /// Cancelling it cancels the pipeline. Costs nothing unless asked for.
    ///
    /// Pipelines that run at once may be parts of one whole. On Linux, where Foundation's object has no lock, add them to
    /// it before they are started.
    public var progress: Progress {
        if let view = engine.read({ $0.progressView }) { return view }
        let view = PipelineProgress(
            asking: { [weak self] in self?.engine.read { $0.progressUnits } },
            cancelling: { [weak self] in self?.cancel("progress cancelled") })
        return send { $0.beginTracking(shownBy: view, &$1) }
    }

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

extension AnyPipeline: CustomStringConvertible {
    /// Name, id, number of steps and state.
    public var description: String {
        let (count, state) = engine.read { ($0.line.steps.count, $0.state) }
        return "Pipeline \"\(name)\" (id \(id), \(count) step\(count == 1 ? "" : "s"), \(state))"
    }
}

extension Content {
    /// What a step has made, found by what it declares; nil if it declares nothing.
    fileprivate func output(of step: any Step) -> (any Sendable)? {
        guard let key = step.outputs.first else { return nil }
        let made = key.slot == .wholeBag ? bodyObject ?? bodyData : storedValue(key.slot, key.name)
        return made is NSNull ? nil : made
    }
}
