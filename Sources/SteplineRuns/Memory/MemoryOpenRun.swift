import Foundation

/// A run of a memory store, held by its owner.
final class MemoryOpenRun: OpenRun {
    let record: RunRecord
    let store: MemoryRunStore

    init(record: RunRecord, store: MemoryRunStore) {
        self.record = record
        self.store = store
    }

    deinit { close() }

    func forEachStep(_ body: (StepRecord) throws -> Void) throws {
        try store.forEachStep(of: record.id, body)
    }

    func result(of step: String) throws -> Data? { try store.result(of: step, in: record.id) }

    func write(_ changes: [StepChange]) throws -> [Int] {
        try store.change(record) { $0.take(changes) }
    }

    func end(_ ending: RunEnding, at now: Date) throws {
        try store.change(record) { run in
            run.record.ending = ending
            run.record.ended = now
            run.record.isOpen = false
            run.removeCancellation()
        }
    }

    func close() {
        // Throws if the run has another owner or none: then there is nothing to release.
        try? store.change(record) { $0.record.isOpen = false }
    }
}
