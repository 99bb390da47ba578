import Stepline
import SteplineSupport
import SteplineTesting

/// Follows a workflow by its events alone, and notes each that breaks a rule.
final class EventJudge: Sendable {
    let faults = Recorder<String>()
    private let prerequisites: [[Int]]
    private let current: Locked<(states: [WorkflowTask.State], attempts: [Int], number: Int)>

    init(_ model: WorkflowModel) {
        prerequisites = model.prerequisites
        current = Locked((model.states, model.attempts, 0))
    }

    var states: [WorkflowTask.State] { current.withLock { $0.states } }

    func judge(_ event: WorkflowEvent) {
        let fault = current.withLock { current -> String? in
            defer { current.number = event.number }
            if current.number > 0, event.number != current.number + 1 { return "a gap in the numbers" }
            guard let position = event.task?.path.last else { return nil }
            let task = position - 1
            let state = current.states[task]
            func go(to new: WorkflowTask.State, from allowed: WorkflowTask.State...) -> String? {
                current.states[task] = new
                return allowed.contains(state) ? nil : "it was \(state)"
            }
            switch event.kind {
            case .ready:
                let isRunnable = prerequisites[task].allSatisfy { current.states[$0] == .finished }
                return isRunnable ? go(to: .ready, from: .pending) : "a prerequisite isn't finished"
            case .started:
                current.attempts[task] += 1
                let isRunnable = prerequisites[task].allSatisfy { current.states[$0] == .finished }
                if !isRunnable { return "a prerequisite isn't finished" }
                return event.attempt == current.attempts[task]
                    ? go(to: .executing, from: .ready) : "the attempt should be \(current.attempts[task])"
            case .finished, .failed:
                let end: WorkflowTask.State = event.kind == .finished ? .finished : .failed
                return event.attempt == current.attempts[task]
                    ? go(to: end, from: .executing) : "the attempt should be \(current.attempts[task])"
            case .cancelled: return go(to: .cancelled, from: .pending, .ready, .executing)
            case .reset: return go(to: .pending, from: .ready, .executing, .cancelled, .finished, .failed)
            case .retried: return go(to: .pending, from: .cancelled, .failed)
            default: return nil
            }
        }
        if let fault { faults.record("\(event): \(fault)") }
    }
}

/// Tells when the conditions that should wait do.
final class ConditionWatch: Sendable {
    private let begun = Recorder<Int>()
    private let reader: Task<Void, Never>

    init(_ workflow: Workflow) {
        let events = workflow.events
        reader = Task { [begun] in
            for await event in events {
                if event.kind == .started, let task = event.task?.path.last { begun.record(task - 1) }
            }
        }
    }

    /// Waits until as many attempts have begun as the model says.
    func waitFor(_ model: WorkflowModel) async {
        await begun.waitForCount(model.attempts.reduce(0, +))
    }

    deinit { reader.cancel() }
}
