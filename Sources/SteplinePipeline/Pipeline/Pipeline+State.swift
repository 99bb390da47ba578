import Foundation
import SteplineSupport

extension Pipeline {
    /// Where a pipeline stands.
    public enum State: Sendable, CustomStringConvertible {
        /// It has not been started.
        case ready
        /// Its steps run.
        case running
        /// It was cancelled, and the body of a step has not ended yet.
        case cancelling
        /// It has ended.
        case ended(Outcome)

        /// The state in a word.
        public var description: String {
            switch self {
            case .ready: "ready"
            case .running: "running"
            case .cancelling: "cancelling"
            case .ended(let outcome): "\(outcome)"
            }
        }
    }

    /// Where the pipeline stands.
    ///
    /// All that is told of an end changes in the same moment as this.
    public var state: State { machine.withLock { $0.publicState } }

    /// Whether it has been started and not ended.
    public var isExecuting: Bool { machine.withLock { $0.isExecuting } }

    /// Whether it has ended.
    public var isFinished: Bool { machine.withLock { $0.isEnded } }

    /// Whether it was cancelled, also while a body still winds down.
    public var isCancelled: Bool { machine.withLock { $0.isCancelled } }

    /// The steps in order, as they are now.
    public var steps: [any Step] { machine.withLock { $0.steps } }

    /// The bag of the step that ended last; nil until the first has.
    public var content: Content? { machine.withLock { $0.content } }

    /// What the last step made, under whatever key; nil until the pipeline has succeeded.
    ///
    /// After a step that replaces the whole bag, its object, or else its bytes.
    public var output: (any Sendable)? {
        let end = machine.withLock { machine in
            machine.hasSucceeded ? (machine.current, machine.content) : (nil, nil)
        }
        guard let step = end.0, let bag = end.1 else { return nil }
        return bag.output(of: step)
    }

    /// What the pipeline failed with.
    public var error: PipelineError? { machine.withLock { $0.error } }

    var stepCount: Int { machine.withLock { $0.steps.count } }
}

extension PipelineState {
    var publicState: Pipeline.State {
        switch phase {
        case .ready: .ready
        case .running: cancelReason == nil ? .running : .cancelling
        case .ended(let outcome): .ended(outcome)
        }
    }

    var isExecuting: Bool {
        if case .running = phase { true } else { false }
    }

    var isCancelled: Bool {
        if case .ended(.cancelled) = phase { true } else { cancelReason != nil && !isEnded }
    }

    var hasSucceeded: Bool {
        if case .ended(.succeeded) = phase { true } else { false }
    }

    var error: PipelineError? {
        if case .ended(.failed(let error)) = phase { error } else { nil }
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
