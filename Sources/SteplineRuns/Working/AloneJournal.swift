import Foundation
import SteplineSupport
import SteplineWorkflow

/// The journal of a workflow whose tasks a worker executes one by one: reports their ends to the worker.
///
/// Only signals are stored here. The worker stores results, and the run's owner stores everything else.
final class AloneJournal: TaskJournal {
    private let part: RunPart
    private let id: RunID
    private let store: any RunStore
    private let clock: any StepClock
    private let unsent: UnsentSignals
    private let ended: @Sendable (JournalEntry) -> Void

    init(
        _ part: RunPart, of id: RunID, in store: any RunStore, clock: any StepClock,
        _ unsent: UnsentSignals,
        ended: @escaping @Sendable (JournalEntry) -> Void
    ) {
        self.part = part
        self.id = id
        self.store = store
        self.clock = clock
        self.unsent = unsent
        self.ended = ended
    }

    func record(_ entry: JournalEntry) {
        // An end. Cancellations aren't awaited, but the worker must see them too.
        if entry.isAwaited || entry.isCancellation { return end(entry) }
        // A body has fulfilled a condition for which the run's owner waits.
        guard case .fulfilled(let value) = entry.kind else { return }
        let facts = part.facts(entry.number)
        let signal = RunSignal.fulfil(condition: facts.name, (try? facts.bytes(of: value)) ?? nil)
        // The body must not fail in the middle of its work: `end` retries the signal.
        do { try send(signal) } catch { unsent.add(signal) }
    }

    private func send(_ signal: RunSignal) throws { _ = try store.send(signal, to: id, at: clock.now) }

    /// Reports an end once all signals of its body are stored.
    ///
    /// The attempt fails if a signal can't be stored: the run would wait forever for the condition.
    private func end(_ entry: JournalEntry) {
        guard case .finished = entry.kind else { return ended(entry) }
        let body = part.workflow.bodyIdentifier
        do {
            for signal in unsent.signals(of: body, entry.number) { try send(signal) }
        } catch {
            let failure = DurableRunError(
                .notStorable, part.facts(entry.number).name, "a condition that it fulfilled can't be kept",
                underlying: error)
            return part.workflow.cannotKeep(entry, failure)
        }
        unsent.remove(of: body, entry.number)
        ended(entry)
    }

    func idempotencyKey(of number: Int) -> String { id.digest(of: part.facts(number).name) }

    // The run's owner has already searched for a reusable result before offering the step.
    func takeOver(_ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult? { nil }

    func restoredTasks(_ numbers: Range<Int>) -> [RestoredTask] { [] }
}
