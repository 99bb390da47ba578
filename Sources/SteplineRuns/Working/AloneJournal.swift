import Foundation
import SteplineSupport
import SteplineWorkflow

/// The journal of a workflow whose tasks a worker runs one by one: hands on their ends.
final class AloneJournal: TaskJournal {
    private let part: RunPart
    private let id: RunID
    private let store: any RunStore
    private let clock: any StepClock
    private let ended: @Sendable (JournalEntry) -> Void

    init(
        _ part: RunPart, of id: RunID, in store: any RunStore, clock: any StepClock,
        ended: @escaping @Sendable (JournalEntry) -> Void
    ) {
        self.part = part
        self.id = id
        self.store = store
        self.clock = clock
        self.ended = ended
    }

    func record(_ entry: JournalEntry) {
        if entry.isAwaited || entry.isCancellation { return ended(entry) }
        // A body has fulfilled a condition, for which the owner of the run waits.
        guard case .fulfilled(let value) = entry.kind else { return }
        let facts = part.facts(entry.number)
        let data = try? facts.bytes(of: value)
        _ = try? store.send(.fulfil(condition: facts.name, data ?? nil), to: id, at: clock.now)
    }

    func idempotencyKey(of number: Int) -> String { id.digest(of: part.facts(number).name) }

    // The owner of the run has looked.
    func takeOver(_ number: Int, attempt: Int, _ inputs: TaskInputs) -> TakenResult? { nil }

    func restoredTasks(_ numbers: Range<Int>) -> [RestoredTask] { [] }
}
