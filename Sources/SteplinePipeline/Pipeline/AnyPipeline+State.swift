import Foundation
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

    var stepCount: Int { engine.read { $0.line.steps.count } }
}

extension Content {
    /// What a step has made, found by what it declares; nil if it declares nothing.
    fileprivate func output(of step: any Step) -> (any Sendable)? {
        guard let key = step.outputs.first else { return nil }
        let made = key.slot == .wholeBag ? bodyObject ?? bodyData : storedValue(key.slot, key.name)
        return made is NSNull ? nil : made
    }
}
