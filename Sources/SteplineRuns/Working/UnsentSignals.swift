import SteplineSupport
import SteplineWorkflow

/// The signals that a store failed to keep, retained until an attempt of their body finishes.
final class UnsentSignals: Sendable {
    private struct Body: Hashable {
        let workflow: ObjectIdentifier
        let number: Int
    }

    private let all = Locked<[Body: [RunSignal]]>([:])

    /// Records a signal of the body that the caller runs in; drops a signal from outside any body.
    func add(_ signal: RunSignal) {
        guard let body = Workflow.currentBody else { return }
        all.withLock { $0[Body(workflow: body.workflow, number: body.number), default: []].append(signal) }
    }

    func signals(of workflow: ObjectIdentifier, _ number: Int) -> [RunSignal] {
        all.withLock { $0.isEmpty ? [] : $0[Body(workflow: workflow, number: number)] ?? [] }
    }

    func remove(of workflow: ObjectIdentifier, _ number: Int) {
        all.withLock { if !$0.isEmpty { $0[Body(workflow: workflow, number: number)] = nil } }
    }
}
