import Foundation
import SteplineSupport
import SteplineWorkflow

/// The journal of a workflow whose tasks a worker executes one by one: reports their ends to the worker.
///
/// Only signals are stored here. The worker stores results, and the run's owner stores everything else.
final class AloneJournal: TaskJournal {
    private let part: RunPart
    private let id: RunID
    private let signals: UnsentSignals
    /// The errors of values that can't be stored, by the body that has fulfilled a condition with the value.
    private let unstorable: Locked<[UnsentSignals.Body: any Error]>
    private let ended: @Sendable (JournalEntry) -> Void

    init(
        _ part: RunPart, of id: RunID, _ signals: UnsentSignals,
        _ unstorable: Locked<[UnsentSignals.Body: any Error]>,
        ended: @escaping @Sendable (JournalEntry) -> Void
    ) {
        self.part = part
        self.id = id
        self.signals = signals
        self.unstorable = unstorable
        self.ended = ended
    }

    func record(_ entry: JournalEntry) -> Bool {
        if entry.isAwaited || entry.isCancellation {
            // An end. Cancellations aren't awaited, but the worker must see them too.
            end(entry)
        } else if case .fulfilled(let value) = entry.kind {
            // The owner of the run waits for the condition.
            let facts = part.facts(entry.number)
            do { signals.send(.fulfil(condition: facts.name, try facts.bytes(of: value)), to: id) } catch {
                // Without a body, no attempt can fail: the condition stays open.
                guard let current = Workflow.currentBody else { return false }
                let body = UnsentSignals.Body(workflow: current.workflow, number: current.number)
                unstorable.withLock { $0[body] = error }
            }
        }
        return false
    }

    /// An attempt finishes once the store has what its body has fulfilled, and fails otherwise: the run would wait for
    /// ever.
    private func end(_ entry: JournalEntry) {
        guard case .finished = entry.kind else { return ended(entry) }
        let workflow = part.workflow.bodyIdentifier
        let body = UnsentSignals.Body(workflow: workflow, number: entry.number)
        do {
            // Not removed: the workflow built here takes no second value, so later attempts fail too.
            if let error = unstorable.withLock({ $0[body] }) { throw error }
            try signals.sendAgain(of: workflow, entry.number)
        } catch {
            let failure = DurableRunError(
                .notStorable, part.facts(entry.number).name, "a condition that it fulfilled can't be kept",
                underlying: error)
            return part.workflow.cannotKeep(entry, failure)
        }
        ended(entry)
    }

    func idempotencyKey(of number: Int) -> String { id.digest(of: part.facts(number).name) }

    // The run's owner has already searched for a reusable result before offering the step.
    func takeOver(_ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult? { nil }

    func elementKeys(_ elements: [any Sendable], of type: any Sendable.Type) -> [String]? {
        ElementKeys.keys(of: elements, type)
    }

    func restoredTasks(_ numbers: Range<Int>) -> [RestoredTask] { [] }
}
